import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { projectGround } from './project-root.ts';

const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Files and, with a slash at the end, folders. */
function rootOf(cwd: string, ...paths: string[]): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-root-')));
  made.push(root);
  for (const path of [`home/`, `${cwd}/`, ...paths]) {
    mkdirSync(path.endsWith('/') ? join(root, path) : dirname(join(root, path)), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(join(root, path), '{}');
  }
  const found = projectGround({ home: join(root, 'home'), cwd: join(root, cwd), env: {} }).cwd;
  return found.slice(root.length + 1);
}

test.each<[string, string, string[], string]>([
  ['is here when nobody has any', 'home/p/a', ['home/p/.git/'], 'home/p/a'],
  [
    'is above, in the root of the repository',
    'home/p/a/b',
    ['home/p/.git/', 'home/p/.claude/settings.json'],
    'home/p',
  ],
  [
    'is the root of a worktree, whose .git is a file',
    'home/w/a',
    ['home/w/.git', 'home/w/.codex/hooks.json'],
    'home/w',
  ],
  [
    'is the nearest of two',
    'home/p/a/b',
    ['home/p/.opta/config.json', 'home/p/a/.anyhook/hooks.json'],
    'home/p/a',
  ],
  ['is found by modules alone', 'home/p/a', ['home/p/.anyhook/hooks/guard.ts'], 'home/p'],
  ['is found by plugins alone', 'home/p/a', ['home/p/.opencode/plugin/guard.ts'], 'home/p'],
  [
    'is not outside the repository',
    'home/p/r/a',
    ['home/p/r/.git/', 'home/p/.goose/settings.json'],
    'home/p/r/a',
  ],
  [
    'is never the home above, even if it is a repository',
    'home/a',
    ['home/.git/', 'home/.claude/settings.json'],
    'home/a',
  ],
  ['is home only for who is there', 'home', ['home/.gemini/settings.json'], 'home'],
])('the project %s', (_title, cwd, paths, root) => expect(rootOf(cwd, ...paths)).toBe(root));

test('through a link the folders that were walked through count', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-root-')));
  made.push(root);
  mkdirSync(join(root, 'p/.anyhook'), { recursive: true });
  writeFileSync(join(root, 'p/.anyhook/hooks.json'), '{}');
  mkdirSync(join(root, 'elsewhere/deep'), { recursive: true });
  symlinkSync(join(root, 'elsewhere'), join(root, 'p/link'));
  const ground = { home: join(root, 'home'), env: {} };
  expect(projectGround({ ...ground, cwd: join(root, 'p/link/deep') }).cwd).toBe(join(root, 'p'));
});
