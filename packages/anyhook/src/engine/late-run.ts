/** The end of a background hook, told by the program that fired it, or by who took it over when that program had ended. */
import type { Dialect } from '../events/dialect.ts';
import type { Reply } from '../events/exchange.ts';
import type { Hook } from '../events/hook.ts';
import type { Run } from '../events/outcome.ts';
import { interpretReply, weighFailure } from './ask.ts';
import type { HookAnswer } from './tally.ts';
import type { LateStart } from './parts.ts';

export const lateRun = (late: string, { hook, answer, ms, failedOpen, code }: HookAnswer): Run => ({
  hook: hook.id,
  round: 1,
  ms,
  late,
  ...(code !== undefined && { code }),
  answer,
  ...(failedOpen && { failedOpen }),
});

/** What the engine would have made of the reply, had it still been there. */
export function readLate(reply: Reply, hook: Hook, dialect: Dialect, start: LateStart, ms: number): Run {
  const { key, event } = start;
  const asked = weighFailure(hook, dialect, event, interpretReply(reply, hook, dialect, event), ms);
  return lateRun(key, reply.kind === 'exited' ? { ...asked, code: reply.code } : asked);
}
