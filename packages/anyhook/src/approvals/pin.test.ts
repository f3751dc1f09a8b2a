import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Pin } from './pin.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anyhook-pin-'));
  file = join(folder, 'pin.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('every answer counts without a PIN, and only the right one after it was set', () => {
  const pin = new Pin(file);
  expect([pin.isSet, pin.check(undefined)]).toEqual([false, 'right']);
  pin.set('4711');
  expect([pin.isSet, pin.check('4711'), pin.check('4712'), pin.check(undefined)]).toEqual([
    true,
    'right',
    'wrong',
    'wrong',
  ]);
  expect(readFileSync(file, 'utf8')).not.toContain('4711');
  pin.remove();
  expect(pin.check(undefined)).toBe('right');
});

test('after five wrong PINs in a row even the right one has to wait', () => {
  const pin = new Pin(file);
  pin.set('4711');
  for (let n = 0; n < 5; n++) expect(pin.check('0000')).toBe('wrong');
  expect(pin.check('4711')).toBe('wait');
});

test('a PIN file that is damaged accepts no PIN, because it was there', () => {
  writeFileSync(file, '{"salt":', { mode: 0o600 });
  expect([new Pin(file).isSet, new Pin(file).check('4711')]).toEqual([true, 'wrong']);
});

test.skipIf(process.platform === 'win32')('a PIN file that others can write accepts no PIN', () => {
  const pin = new Pin(file);
  pin.set('4711');
  chmodSync(file, 0o666);
  expect([pin.isSet, pin.check(undefined), pin.check('4711')]).toEqual([true, 'wrong', 'wrong']);
});
