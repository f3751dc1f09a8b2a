import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { foldersOf, locationsOf } from './folders.ts';
import { moveOldState } from './move-state.ts';

const root = mkdtempSync(join(tmpdir(), 'anyhook-move-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders: ReturnType<typeof foldersOf>;
let homes = 0;
beforeEach(() => {
  folders = foldersOf(locationsOf({ home: join(root, `home-${homes++}`) }));
});
const write = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

describe('state of versions before 0.2', () => {
  test('moves from the settings folder to the data folder, and the next session is told', () => {
    write(join(folders.config, 'trust/abc'), 'trusted');
    write(join(folders.config, 'installs/codex.json'), '{}');
    write(join(folders.config, 'hooks.json'), '{}');
    expect(moveOldState(folders)).toEqual(['trust', 'installs']);
    expect(readFileSync(join(folders.trust, 'abc'), 'utf8')).toBe('trusted');
    expect(existsSync(join(folders.config, 'trust'))).toBe(false);
    expect(readFileSync(join(folders.config, 'hooks.json'), 'utf8')).toBe('{}');
    expect(readFileSync(folders.acts, 'utf8')).toContain('trust, installs moved from');
  });

  test('does not replace what is in the data folder already', () => {
    write(join(folders.config, 'trust/planted'), 'by an agent');
    write(join(folders.trust, 'mine'), 'by the user');
    expect(moveOldState(folders)).toEqual([]);
    expect(existsSync(join(folders.trust, 'planted'))).toBe(false);
  });

  test('is not looked for again once it was moved', () => {
    write(join(folders.config, 'trust/abc'), 'trusted');
    moveOldState(folders);
    expect(moveOldState(folders)).toEqual([]);
  });
});
