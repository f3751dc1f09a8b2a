/** An outcome for an agent that speaks our dialect: the same document that our hooks print. */
import { same } from '../../../events/changes.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { EventName } from '../../../events/events.ts';
import type { ExitReply } from '../../../events/exchange.ts';
import type { Outcome } from '../../../events/outcome.ts';
import { decides } from '../../../events/roles.ts';
import { EXIT_ASKS } from './read-reply.ts';

export function writeReply(outcome: Outcome, { name, payload }: Event): ExitReply {
  const { verdict, forModel, forPerson, given, flow } = outcome;
  // Part by part, so that what is read back is the same: a reason is the verdict's own.
  const reason = outcome.reasons.flatMap(({ text }) => text || []).join('\n');
  const { set, removed } = changes(payload as Fields, outcome.payload);
  const document = {
    ...(verdict !== 'none' && { decision: verdict, ...(reason !== '' && { reason }) }),
    ...filled({ set }),
    ...filled({ context: forModel, notice: forPerson }),
    ...Object.fromEntries(Object.entries(flow).map(([turn, why]) => [turn, why === '' ? true : why])),
    ...filled({ give: given.map(({ what, value }) => ({ what, value })) }),
    ...filled({ effects: removed.map((field) => ({ kind: 'set', at: [field] })) }),
  };
  const empty = Object.keys(document).length === 0;
  const code = exitCode(outcome, name);
  const why = verdict === 'none' ? outcome.reason : reason;
  return {
    kind: 'exited',
    code,
    stdout: empty ? '' : `${JSON.stringify(document)}\n`,
    stderr: code !== 0 && why !== '' ? `${why}\n` : '',
  };
}

/** A program that reads no JSON goes by the exit code: 0 is the only one at which it may go on. */
function exitCode({ proceed, verdict }: Outcome, name: EventName): 0 | 2 | 3 {
  if (!decides(name) && verdict !== 'deny') return 0;
  return proceed === 'no' ? 2 : verdict === 'ask' ? EXIT_ASKS : 0;
}

function changes(before: Fields, after: Fields): { set: Fields; removed: readonly string[] } {
  const changed = Object.entries(after).filter(
    ([field, value]) => !Object.hasOwn(before, field) || !same(before[field], value),
  );
  const removed = Object.keys(before).filter((field) => !Object.hasOwn(after, field));
  return { set: Object.fromEntries(changed), removed };
}

/** Leaves out fields that are empty. */
const filled = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => Object.keys(value as object).length > 0));
