/** A home and a project in which our programs run, and the processes and records they leave. */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { headFileOf, journalFileOf, readFile, verify } from '../../src/journal/index.ts';
import { processes } from '../../src/runners/command/processes.mjs';
import { removeTree } from '../../src/settings/remove-tree.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class FaultGround {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-load-')));
  readonly home = join(this.root, 'home');
  readonly project = join(this.root, 'project');
  /** Set in the environment of every started process, to find it later. */
  readonly tag = randomBytes(8).toString('hex');

  constructor(entries: readonly object[]) {
    mkdirSync(join(this.home, '.config/anyhook'), { recursive: true });
    mkdirSync(this.project);
    writeFileSync(
      join(this.home, '.config/anyhook/hooks.json'),
      JSON.stringify({ hooks: { 'tool.before': entries } }),
    );
  }

  /** `limit` is shell code that runs first, such as `ulimit -n 256;`. */
  start(argv: readonly string[], limit = ''): ChildProcess {
    return spawn('/bin/sh', ['-c', `${limit} exec "$0" "$@"`, ...argv], {
      cwd: this.project,
      env: { PATH: process.env['PATH'], HOME: this.home, LANG: 'C.UTF-8', TAG: this.tag },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
  host(fires: number, atOnce: number, limit = ''): ChildProcess {
    const program = join(import.meta.dirname, 'fixtures/host.mjs');
    return this.start([process.execPath, program, this.home, this.project, `${fires}`, `${atOnce}`], limit);
  }

  /** The verified journal of the session. */
  journal(session = 'load') {
    const file = journalFileOf(join(this.home, '.local/state/anyhook/journal'), session);
    return { file, ...verify(file, headFileOf(join(this.home, '.local/share/anyhook/heads'), session)) };
  }
  /** Calls as `log` reads them. The incomplete line of a killed writer has none. */
  calls(session = 'load'): string[] {
    return [...readFile(this.journal(session).file)].flatMap((entry) =>
      entry.kind === 'record' ? (entry.record.ids.call ?? []) : [],
    );
  }

  tagged(): number[] {
    return processes().flatMap(({ pid }) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`TAG=${this.tag}`) ? pid : [];
      } catch {
        return [];
      }
    });
  }
  /** Processes that are left after the given time. */
  async left(withinMs = 20_000): Promise<number[]> {
    for (const until = Date.now() + withinMs; Date.now() < until; await pause(50))
      if (this.tagged().length === 0) return [];
    return this.tagged();
  }
  async close(): Promise<void> {
    for (const pid of this.tagged())
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The process has exited.
      }
    await pause(50);
    removeTree(this.root);
  }
}

export async function endOf(child: ChildProcess): Promise<Ended> {
  const [stdout, stderr, code] = await Promise.all([
    textOf(child.stdout!),
    textOf(child.stderr!),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ]);
  return { code, stdout, stderr };
}
