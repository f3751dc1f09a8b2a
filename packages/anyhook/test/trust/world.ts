/** A home, a project and the built command line, as an agent uses them. */

import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { removeTree } from '../../src/settings/remove-tree.ts';

/** A prefix for commands that a user runs in a terminal. */
export const PERSON = fileURLToPath(new URL('../person.sh', import.meta.url));
const CLI = fileURLToPath(new URL('../../dist/bin/anyhook.cjs', import.meta.url));
const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-door-')));
afterAll(() => removeTree(root));

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class World {
  readonly home = mkdtempSync(join(root, 'home-'));
  readonly project = mkdtempSync(join(root, 'project-'));
  /** Everything that runs leaves a mark here. */
  readonly ran = join(this.home, 'ran');

  put(path: string, text: string, base = this.project): void {
    const file = join(base, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (text.startsWith('#!')) chmodSync(file, 0o755);
  }
  /** `through` is a program and its arguments that start ours. */
  run(
    args: readonly string[],
    input = '',
    through: readonly string[] = [],
    more: Readonly<Record<string, string>> = {},
  ): Promise<Ended> {
    const [program = '', ...rest] = [...through, process.execPath, CLI, ...args];
    const env = {
      PATH: process.env['PATH'],
      HOME: this.home,
      RAN: this.ran,
      NO_UPDATE_NOTIFIER: '1',
      ...more,
    };
    const child = spawn(program, rest, { cwd: this.project, env });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (bytes) => void (stdout += String(bytes)));
    child.stderr.on('data', (bytes) => void (stderr += String(bytes)));
    child.stdin.on('error', () => {}).end(input);
    return new Promise((resolve, reject) => {
      child.on('error', reject).on('close', (status) => resolve({ status, stdout, stderr }));
    });
  }
  /** Runs a command as a user in a terminal. */
  byPerson(args: readonly string[]): Promise<Ended> {
    return this.run(args, '', [PERSON]);
  }
  fire(tool: string, input: object): Promise<Ended> {
    const event = JSON.stringify({ tool, input });
    return this.run(['fire', '--as', 'anyhook', 'tool.before', '--json'], event);
  }
  async trustAll(): Promise<string[]> {
    const { project } = JSON.parse((await this.run(['trust', 'list', '--json'])).stdout) as {
      project: { hash: string }[];
    };
    const hashes = project.map(({ hash }) => hash);
    if (hashes.length > 0) await this.byPerson(['trust', 'add', ...hashes]);
    return hashes;
  }
  get marks(): string {
    return existsSync(this.ran) ? readFileSync(this.ran, 'utf8') : '';
  }
}

export function treeOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file, readFileSync(file, 'utf8')]),
  );
}

/** Limits concurrency. Results are in the order of the list. */
export async function inTurns<T, R>(
  list: readonly T[],
  atOnce: number,
  act: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < list.length; at = next++) results[at] = await act(list[at]!);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
