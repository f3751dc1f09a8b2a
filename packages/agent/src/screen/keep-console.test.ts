import { Console } from 'node:console';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { keepConsole } from './keep-console.ts';

test('console output becomes a formatted notice while the screen is open, and is printed again afterwards', () => {
  const stdout = new PassThrough();
  const held = new Console({ stdout, stderr: stdout });
  const said: [string, string][] = [];
  const giveBack = keepConsole((text, level) => said.push([text, level]), held);
  held.log('%d hooks', 3, { a: 1 });
  held.warn('careful');
  held.error(new Error('broken').message);
  giveBack();
  held.log('after');
  expect(said).toEqual([
    ['3 hooks { a: 1 }', 'info'],
    ['careful', 'warning'],
    ['broken', 'error'],
  ]);
  expect(String(stdout.read())).toBe('after\n');
});
