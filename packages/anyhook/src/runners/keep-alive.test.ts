import { expect, test } from 'vitest';
import { KeepAlive } from './keep-alive.ts';

test('calls ref and unref only on changes, and ignores parts without these methods', () => {
  const said: string[] = [];
  const pipe = { ref: () => said.push('ref'), unref: () => said.push('unref') };
  const life = new KeepAlive(() => [pipe, {}, null, undefined]);
  life.hold();
  life.release();
  life.release();
  life.hold();
  expect(said).toEqual(['unref', 'ref']);
});
