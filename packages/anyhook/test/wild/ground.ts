/** Programs in a home and a project of their own, each with a deadline; nothing of them is left when they are over. */

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeTree } from '../../src/settings/remove-tree.ts';

export interface Ground {
  readonly home: string;
  readonly project: string;
  run(file: string, args: readonly string[], more?: RunOptions): Promise<ProgramEnd>;
}
export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}
export interface ProgramEnd {
  /** Null: it did not end in time, and was ended. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const LONGEST_MS = 230_000;

/** `files`: below the home folder. */
export async function onGround<T>(
  work: (ground: Ground) => Promise<T>,
  files: Readonly<Record<string, string>> = {},
): Promise<T> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'wild-')));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  for (const folder of [home, project, join(root, 'tmp')]) mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) write(join(home, name), text);
  try {
    return await work({
      home,
      project,
      run: (file, args, more = {}) => run(file, args, { home, project }, more),
    });
  } finally {
    endThoseAt(home);
    removeTree(root);
  }
}

export function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function run(
  file: string,
  args: readonly string[],
  { home, project }: Pick<Ground, 'home' | 'project'>,
  { input = '', env = {} }: RunOptions,
): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
    const child = spawn(file, [...args], {
      cwd: project,
      // Packages keep what they know of a session in the folder for such files: each run has its own.
      env: { PATH, HOME: home, TMPDIR: join(home, '../tmp'), LANG: 'C.UTF-8', TERM: 'dumb', ...env },
      detached: true,
    });
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => (said[stream] += text));
    const timer = setTimeout(() => endGroup(child.pid), LONGEST_MS);
    child.on('exit', () => endGroup(child.pid)); // whoever still holds its pipes
    child.on('error', ({ message }) => resolve({ code: null, stdout: '', stderr: message }));
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, ...said });
    });
    child.stdin.on('error', () => {}).end(input);
  });
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // all of it has ended
  }
}

/** What left its group still has the home it was given; only Linux shows it. */
function endThoseAt(home: string): void {
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one)))
    try {
      if (readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(`HOME=${home}`))
        process.kill(Number(name), 'SIGKILL');
    } catch {
      // gone, or somebody else's
    }
}
