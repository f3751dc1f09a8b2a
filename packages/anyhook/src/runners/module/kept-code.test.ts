import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { keptCode } from './kept-code.mjs';

const root = mkdtempSync(join(tmpdir(), 'anyhook-kept-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folder = '';
let made = 0;
beforeEach(() => {
  folder = join(mkdtempSync(join(root, 'one-')), 'compiled');
  made = 0;
});
const code = (...parts: string[]) => keptCode(folder, parts, () => `code ${++made} of ${parts.join('+')}`);
const onlyFile = () => join(folder, readdirSync(folder)[0]!);

describe('compiled code', () => {
  test('compiled code is cached by file name and text', () => {
    expect([code('a.ts', 'x'), code('a.ts', 'x')]).toEqual(['code 1 of a.ts+x', 'code 1 of a.ts+x']);
    expect([code('a.ts', 'y'), code('b.ts', 'x'), code('a.tsx', '')]).toEqual([
      'code 2 of a.ts+y',
      'code 3 of b.ts+x',
      'code 4 of a.tsx+',
    ]);
  });

  test('compiled code is stored in a private folder and private files', () => {
    code('a');
    expect(readFileSync(onlyFile(), 'utf8')).toMatch(/^\/\/ [0-9a-f]{64}\ncode 1 of a$/);
  });

  test.each([
    ['is open to others', () => chmodSync(onlyFile(), 0o644)],
    ['was cut short', () => truncateSync(onlyFile(), 70)],
    ['was changed', () => writeFileSync(onlyFile(), `${readFileSync(onlyFile(), 'utf8')} and more`)],
    [
      'is a link to elsewhere',
      () => {
        const file = onlyFile();
        const other = join(root, 'other.js');
        writeFileSync(other, readFileSync(file), { mode: 0o600 });
        rmSync(file);
        symlinkSync(other, file);
      },
    ],
  ])('compiled code in a file that %s is not used', (_what, spoil) => {
    code('a');
    spoil();
    expect(code('a')).toBe('code 2 of a');
  });

  test('a folder that others can read is neither used nor written to', () => {
    mkdirSync(folder, { mode: 0o755 });
    expect([code('a'), code('a'), readdirSync(folder)]).toEqual(['code 1 of a', 'code 2 of a', []]);
  });
});
