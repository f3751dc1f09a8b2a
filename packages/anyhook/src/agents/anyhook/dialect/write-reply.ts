/** Writes an outcome for an agent with our dialect, in the format that our hooks print. */

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
  // Written field by field, so that reading it returns the same outcome. A reason belongs to the verdict.
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

/** A program that does not read JSON uses the exit code: it may only continue on 0. */
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

/** Removes empty fields. */
const filled = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => Object.keys(value as object).length > 0));
