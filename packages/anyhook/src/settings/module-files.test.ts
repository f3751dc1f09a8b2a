import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findModules } from './module-files.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'anyhook-modules-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const put = (...paths: string[]) => {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
};
const folder = (path: string) => ({
  layer: 'user' as const,
  folder: join(root, path),
  endings: ['.ts', '.js', '.mjs'],
});
const named = (file: string, line = 3) => ({
  file,
  line,
  dialect: 'anyhook',
  place: { layer: 'user' as const, file: join(root, 'conf/hooks.json') },
});
const found = (folders: string[], names: string[]) => {
  const { modules, problems } = findModules(
    folders.map(folder),
    names.map((name) => named(name)),
    join(root, 'home'),
  );
  return { files: modules.map(({ file }) => relative(root, file)), problems };
};

describe('findModules', () => {
  test('finds the modules of a folder in name order and ignores other files', () => {
    put(
      'hooks/b.ts',
      'hooks/a.mjs',
      'hooks/c.js',
      'hooks/a.test.ts',
      'hooks/types.d.ts',
      'hooks/notes.md',
      'hooks/sub/x.ts',
    );
    mkdirSync(join(root, 'hooks/folder.ts'));
    symlinkSync(join(root, 'hooks/b.ts'), join(root, 'hooks/z-link.ts'));
    symlinkSync('/nowhere.ts', join(root, 'hooks/dangling.ts'));
    expect(found(['hooks', 'absent'], [])).toEqual({
      files: ['hooks/a.mjs', 'hooks/b.ts', 'hooks/c.js', 'hooks/z-link.ts'],
      problems: [],
    });
  });

  test('follows hookPaths: relative to the settings file, absolute, from home, with wildcards, each file once', () => {
    put('conf/own.ts', 'home/mine.ts', 'lib/a.ts', 'lib/deep/b.ts', 'lib/node_modules/x.ts', 'lib/c.md');
    expect(found([], ['own.ts', '~/mine.ts', '../lib/**/*.ts', join(root, 'lib/a.ts')])).toEqual({
      files: ['conf/own.ts', 'home/mine.ts', 'lib/a.ts', 'lib/deep/b.ts'],
      problems: [],
    });
  });

  test('reports a path that matches no file with its position', () => {
    put('conf/own.ts');
    expect(found([], ['gone.ts', 'own.ts', 'none/*.ts']).problems).toEqual(
      ['gone.ts', 'none/*.ts'].map((path) => ({
        code: 'not-loaded',
        file: join(root, 'conf/hooks.json'),
        line: 3,
        key: 'hookPaths',
        message: `${JSON.stringify(path)} matches no file.`,
        remedy: 'Paths are relative to this settings file.',
        severity: 'error',
      })),
    );
  });
});
