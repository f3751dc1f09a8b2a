/** Runs a command as the leader of a process group, so that its children end with it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';

export type CommandEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly by: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'running'; readonly pid: number }
  | { readonly kind: 'not-started'; readonly why: string };

export interface CommandTerms {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number | undefined;
  /** Returns `running` after this time and lets the command continue. */
  readonly answerMs: number | undefined;
  readonly onOutput: (text: string) => void;
}

/** Time between SIGTERM and SIGKILL. */
const GRACE_MS = 1_000;
/** How long to wait for pipes that a background process may hold open. */
const DRAIN_MS = 200;

/** Process groups that may still have members. All are killed when the agent exits. */
const groups = new Set<number>();
process.once('exit', () => groups.forEach((pid) => kill(pid, 'SIGKILL')));

export function runCommand(command: string, terms: CommandTerms): Promise<CommandEnd> {
  const { cwd, env, signal, timeoutMs, answerMs, onOutput } = terms;
  if (signal.aborted) return Promise.resolve({ kind: 'killed', by: 'abort' });
  if (!existsSync(cwd)) return Promise.resolve({ kind: 'not-started', why: `there is no folder ${cwd}` });
  return new Promise((resolve) => {
    const bash = ['/bin/bash', '/usr/bin/bash'].find(existsSync) ?? 'sh';
    const child = spawn(bash, ['-c', command], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const { pid } = child;
    let isLate = false;
    const stop = () => {
      if (pid === undefined) return;
      kill(pid, 'SIGTERM');
      setTimeout(() => kill(pid, 'SIGKILL'), GRACE_MS).unref();
    };
    const timers = [
      timeoutMs === undefined ? undefined : setTimeout(() => ((isLate = true), stop()), timeoutMs),
      answerMs === undefined || pid === undefined
        ? undefined
        : setTimeout(() => end({ kind: 'running', pid }), answerMs),
    ];
    const end = (how: CommandEnd) => {
      timers.forEach(clearTimeout);
      signal.removeEventListener('abort', stop);
      letGo(child);
      resolve(how);
    };
    const left = (code: number | null, by: string | null) => {
      kill(pid!, isLate || signal.aborted ? 'SIGKILL' : 0);
      if (isLate) end({ kind: 'timed-out' });
      else end(by === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'killed', by });
    };
    signal.addEventListener('abort', stop, { once: true });
    if (pid !== undefined) groups.add(pid);
    for (const pipe of [child.stdout, child.stderr]) pipe.setEncoding('utf8').on('data', onOutput);
    child.once('error', ({ message }) => end({ kind: 'not-started', why: message }));
    child.once('close', left);
    child.once('exit', (code, by) => setTimeout(() => left(code, by), DRAIN_MS));
  });
}

/** Background processes of the command do not keep the agent alive. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const pipe of [child.stdout, child.stderr]) (pipe as Socket | null)?.unref();
}

/** Signal 0 only checks whether the group has members. */
function kill(pid: number, by: NodeJS.Signals | 0): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, by);
  } catch {
    groups.delete(pid); // The group is empty.
  }
}
