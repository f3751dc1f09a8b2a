/**
 * The result of a background hook. It comes from the program that fired the hook, or from the program that
 * took over after that one ended.
 */

import type { Dialect } from '../events/dialect.ts';
import type { Reply } from '../events/exchange.ts';
import type { Hook } from '../events/hook.ts';
import type { Run } from '../events/outcome.ts';
import { interpretReply, weighFailure } from './ask.ts';
import type { LateStart } from './parts.ts';
import type { HookAnswer } from './tally.ts';

export const lateRun = (late: string, { hook, answer, ms, failedOpen, code }: HookAnswer): Run => ({
  hook: hook.id,
  round: 1,
  ms,
  late,
  ...(code !== undefined && { code }),
  answer,
  ...(failedOpen && { failedOpen }),
});

/** Interprets the reply as the engine would have done if it were still running. */
export function readLate(reply: Reply, hook: Hook, dialect: Dialect, start: LateStart, ms: number): Run {
  const { key, event } = start;
  const asked = weighFailure(hook, dialect, event, interpretReply(reply, hook, dialect, event), ms);
  return lateRun(key, reply.kind === 'exited' ? { ...asked, code: reply.code } : asked);
}
