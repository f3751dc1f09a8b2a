/** `exec` for hooks that run as code, for hosts without their own: runs a command without a shell. */

import type { Exec } from '../events/services.ts';
import { NEVER } from '../events/signal.ts';
import type { CommandRunner } from '../runners/command/index.ts';
import type { DepthLimit } from './depth-limit.ts';

const DEFAULT_MS = 60_000;

export const execThrough =
  (commands: () => Promise<CommandRunner>, cwd: string, depthLimit: DepthLimit): Exec =>
  async (command, args, options = {}) => {
    const tooDeep = depthLimit.spend(); // the command may be an agent with hooks of its own
    if (tooDeep !== '') return { stdout: '', stderr: tooDeep, code: -1, killed: false };
    const reply = await (
      await commands()
    ).run(
      { kind: 'command', run: { argv: [command, ...args] }, env: 'inherit' },
      { kind: 'command', cwd: options.cwd ?? cwd, env: depthLimit.env },
      { timeoutMs: options.timeoutMs ?? DEFAULT_MS, signal: options.signal ?? NEVER },
    );
    if (reply.kind === 'exited')
      return { stdout: reply.stdout, stderr: reply.stderr, code: reply.code, killed: false };
    const why = reply.kind === 'broken' ? reply.why : { kind: 'unreadable' as const };
    const killed = why.kind === 'timed-out' || why.kind === 'aborted' || why.kind === 'killed';
    const printed =
      reply.kind === 'broken'
        ? { stdout: reply.stdout ?? '', stderr: reply.stderr ?? '' }
        : { stdout: '', stderr: '' };
    return { ...printed, stderr: printed.stderr || (why.detail ?? why.kind), code: -1, killed };
  };
