/** Runs one program with the command runner: one deadline, the whole process tree, limited output. */

import type { Reply } from '../../../events/exchange.ts';
import { NEVER } from '../../../events/signal.ts';
import { LONGEST_TIMER_MS } from '../../../runners/deadline.ts';
import { sharedCommands } from '../../../runs/shared-commands.ts';
import type { ExecOptions, ExecResult } from './types/index.ts';

export interface ExecProgram extends Omit<ExecOptions, 'cwd'> {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly stdin?: string;
}

/** Never rejects. */
export async function execProgram(program: ExecProgram): Promise<ExecResult> {
  const { argv, cwd, stdin, env, stripEnv = [], timeout, signal = NEVER } = program;
  const reply = await sharedCommands().run(
    {
      kind: 'command',
      run: { argv },
      env: stripEnv.length === 0 ? 'inherit' : ['*', ...stripEnv.map((name) => `!${name}`)],
    },
    { kind: 'command', cwd, ...(env && { env }), ...(stdin !== undefined && { stdin }) },
    { timeoutMs: timeout !== undefined && timeout > 0 ? timeout : LONGEST_TIMER_MS, signal },
  );
  return resultOf(reply);
}

const KILLED: ReadonlySet<string> = new Set(['timed-out', 'aborted', 'killed']);

function resultOf(reply: Reply): ExecResult {
  if (reply.kind === 'exited')
    return { stdout: reply.stdout, stderr: reply.stderr, code: reply.code, killed: false };
  if (reply.kind !== 'broken')
    return { stdout: '', stderr: `a ${reply.kind} reply`, code: -1, killed: false };
  const { why, stdout = '', stderr = '' } = reply;
  const killed = KILLED.has(why.kind);
  return { stdout, stderr: killed ? stderr : stderr || (why.detail ?? why.kind), code: -1, killed };
}
