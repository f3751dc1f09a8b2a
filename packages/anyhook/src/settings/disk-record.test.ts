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
  await pause(30); // a file that was just written never counts as unchanged
});

const LOOKS = [
  ['file', 'file'],
  ['file', 'link'],
  ['file', 'missing/deeper/file'],
  ['names', 'folder'],
  ['names', 'gone'],
] as const;

test('reports no change while nothing changes, however often it is checked', () => {
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
])('reports a change after %s', (_, change) => {
  const record = recordOf(...LOOKS);
  expect(record.isSame()).toBe(true);
  change();
  expect(record.isSame()).toBe(false);
});

test('never treats a file that was just written as unchanged, because it may be written again unnoticed', () => {
  writeFileSync(at('file'), 'just now');
  expect(recordOf(['file', 'file']).isSame()).toBe(false);
});

test('checks an old folder as a whole, and still detects what appears in it', async () => {
  const folder = recordOf(['file', 'folder'], ['names', 'folder'], ['file', 'folder/missing']);
  const list = recordOf(['names', 'folder']);
  const link = recordOf(['file', 'link']);
  await pause(2600);
  // Twice: from the second check on, nothing inside the unchanged folder is read.
  expect([folder, list, link].flatMap((one) => [one.isSame(), one.isSame()])).toEqual(Array(6).fill(true));
  writeFileSync(at('folder/missing'), '');
  writeFileSync(at('file'), 'two');
  expect([folder, list, link].map((one) => one.isSame())).toEqual([false, false, false]);
  rmSync(at('folder/missing'));
  expect([folder, list, link].map((one) => one.isSame())).toEqual([true, true, false]);
});

test('detects a replaced folder and changed permissions', () => {
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

test('finds the topmost missing folder of a path', () => {
  expect([topmostMissing(at('missing/deeper/file')), topmostMissing(at('none'))]).toEqual([
    at('missing'),
    at('none'),
  ]);
});
