import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { coverOf, type Cover } from './cover.ts';
import type { Entry } from './entry.ts';
import { hashOf } from './hash.ts';
import { openProject, type Project } from './project.ts';
import { boundOf } from './record.ts';
import { stage, type Staged } from './stage.ts';

/** A folder of its own for one test, gone when the test is. */
export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-trust-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Files by name; a name that ends in `*` is executable. */
export function projectWith(
  files: Readonly<Record<string, string>>,
  root = join(scratch(), 'project'),
): Project {
  mkdirSync(root, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name.replace(/\*$/, ''));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, name.endsWith('*') ? 0o755 : 0o644);
  }
  return openProject(root);
}

export const cloneOf = (project: Project): Project => {
  const root = join(scratch(), 'elsewhere', 'clone');
  cpSync(project.root, root, { recursive: true, verbatimSymlinks: true });
  return openProject(root);
};

export const command = (project: Project, line: string, fields: Record<string, unknown> = {}): Entry => ({
  file: join(project.root, '.claude/settings.json'),
  fields: { dialect: 'claude-code', on: 'PreToolUse', matcher: 'Bash', run: { line }, ...fields },
  named: { kind: 'command', run: { line }, cwd: project.root },
});

export const argvCommand = (project: Project, argv: readonly [string, ...string[]]): Entry => ({
  ...command(project, ''),
  fields: { dialect: 'anyhook', on: 'tool.before', run: { argv } },
  named: { kind: 'command', run: { argv }, cwd: project.root },
});

export const cover = (project: Project, line: string): Cover =>
  coverOf(command(project, line), project, {
    vars: { CLAUDE_PROJECT_DIR: project.root, HOME: dirname(project.root) },
  });

export const hash = (c: Cover): string => hashOf(boundOf(c));

export const staged = (c: Cover, copies = scratch()): Extract<Staged, { kind: 'staged' }> => {
  const result = stage(c, hash(c), copies);
  if (result.kind === 'unstaged') throw new Error(result.why);
  return result;
};

/** Runs what was staged the way a runner would, in the entry's own folder. */
export function runStaged(c: Cover, result = staged(c), env: Record<string, string> = {}) {
  const { named } = c.entry;
  if (named.kind !== 'command' || result.run === undefined) throw new Error('not a command');
  const argv = 'line' in result.run ? [result.run.shell ?? 'sh', '-c', result.run.line] : result.run.argv;
  const [program = '', ...args] = argv;
  const done = spawnSync(program, args, {
    cwd: named.cwd,
    encoding: 'utf8',
    input: '',
    env: { PATH: process.env['PATH'] ?? '', CLAUDE_PROJECT_DIR: c.project.root, ...env },
  });
  return { code: done.status, stdout: done.stdout, stderr: done.stderr };
}
