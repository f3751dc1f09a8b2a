import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { diskRecord, lookKey, type LookedAt, diskMark, topmostMissing } from './disk-record.ts';

const root = mkdtempSync(join(tmpdir(), 'ah-record-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const at = (path: string): string => join(root, path);

const recordOf = (...looks: readonly (readonly [LookedAt, string])[]) =>
  diskRecord(
    new Map(looks.map(([kind, path]) => [lookKey(kind, at(path)), diskMark(lookKey(kind, at(path)))])),
  );

beforeEach(async () => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(at('folder'), { recursive: true });
  writeFileSync(at('file'), 'one');
  writeFileSync(at('folder/a'), '');
  symlinkSync('file', at('link'));
  await pause(30); // what was written just now counts as never the same
});

const LOOKS = [
  ['file', 'file'],
  ['file', 'link'],
  ['file', 'missing/deeper/file'],
  ['names', 'folder'],
  ['names', 'gone'],
] as const;

test('while nothing is done, all is as it was, however often one looks', () => {
  const record = recordOf(...LOOKS);
  expect([record.isSame(), record.isSame(), record.size]).toEqual([true, true, 5]);
});

test.each<readonly [string, () => void]>([
  ['a text of the same length', () => writeFileSync(at('file'), 'two')],
  [
    'a text whose time was put back',
    () => {
      writeFileSync(at('file'), 'two');
      utimesSync(at('file'), new Date(0), new Date(0));
    },
  ],
  [
    'another file in its place',
    () => {
      writeFileSync(at('other'), 'one');
      renameSync(at('other'), at('file'));
    },
  ],
  [
    'a link that leads elsewhere',
    () => {
      rmSync(at('link'));
      symlinkSync('folder/a', at('link'));
    },
  ],
  ['one more name in a folder', () => writeFileSync(at('folder/b'), '')],
  ['one name less', () => rmSync(at('folder/a'))],
  ['the first of the folders that were missing', () => mkdirSync(at('missing'))],
  ['a folder that was not there to be listed', () => mkdirSync(at('gone'))],
])('it is not the same after %s', (_, change) => {
  const record = recordOf(...LOOKS);
  expect(record.isSame()).toBe(true);
  change();
  expect(record.isSame()).toBe(false);
});

test('what was written in the moment of the look is never the same: it may be written again unseen', () => {
  writeFileSync(at('file'), 'just now');
  expect(recordOf(['file', 'file']).isSame()).toBe(false);
});

test('a folder that has rested is asked for as a whole, and what appears in it counts all the same', async () => {
  const folder = recordOf(['file', 'folder'], ['names', 'folder'], ['file', 'folder/missing']);
  const list = recordOf(['names', 'folder']);
  const link = recordOf(['file', 'link']);
  await pause(2600);
  // Twice: from the second look on, nothing in it is looked at while it is unchanged.
  expect([folder, list, link].flatMap((one) => [one.isSame(), one.isSame()])).toEqual(Array(6).fill(true));
  writeFileSync(at('folder/missing'), '');
  writeFileSync(at('file'), 'two');
  expect([folder, list, link].map((one) => one.isSame())).toEqual([false, false, false]);
  rmSync(at('folder/missing'));
  expect([folder, list, link].map((one) => one.isSame())).toEqual([true, true, false]);
});

test('another folder in its place, or other rights, are not the same', () => {
  const record = recordOf(['file', 'folder']);
  expect([record.isSame(), record.isSame()]).toEqual([true, true]);
  chmodSync(at('folder'), 0o700);
  expect(record.isSame()).toBe(false);
  chmodSync(at('folder'), 0o755);
  expect(record.isSame()).toBe(true);
  renameSync(at('folder'), at('moved'));
  mkdirSync(at('folder'));
  expect(record.isSame()).toBe(false);
});

test('of what is missing it is known how far up', () => {
  expect([topmostMissing(at('missing/deeper/file')), topmostMissing(at('none'))]).toEqual([
    at('missing'),
    at('none'),
  ]);
});
