/** Describes the project for plugins. */

import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Project } from '@opencode-ai/sdk';

const GIT_MS = 5000;

/** Uses OpenCode's id: the first commit, so that all clones of a repository are the same project. */
export async function openCodeProject(worktree: string): Promise<Project> {
  const created = Math.trunc(statSync(worktree, { throwIfNoEntry: false })?.birthtimeMs ?? Date.now());
  if (!existsSync(join(worktree, '.git'))) return { id: 'global', worktree, time: { created } };
  return { id: (await firstCommit(worktree)) ?? 'global', worktree, vcs: 'git', time: { created } };
}

/** The nearest folder under version control; otherwise the folder itself, but never the file system root. */
export function worktreeFolder(directory: string): string {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return directory;
  }
}

const firstCommit = (cwd: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const args = ['rev-list', '--max-parents=0', '--all'];
    execFile('git', args, { cwd, timeout: GIT_MS }, (error, stdout) => {
      const ids = stdout.split('\n').filter((line) => line !== '');
      resolve(error === null ? ids.toSorted()[0] : undefined);
    });
  });
