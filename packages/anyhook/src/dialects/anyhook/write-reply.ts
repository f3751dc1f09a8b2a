/** An outcome for an agent that speaks our dialect: the same document that our hooks print. */
import { same } from '../../canon/changes.ts';
import type { Fields } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import type { ExitReply } from '../../canon/exchange.ts';
import type { Outcome } from '../../canon/outcome.ts';

export function writeReply(outcome: Outcome, { payload }: Event): ExitReply {
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
  const isDenied = verdict === 'deny';
  return {
    kind: 'exited',
    // The exit code says it too: an agent that reads no JSON still hears the refusal.
    code: isDenied ? 2 : 0,
    stdout: empty ? '' : `${JSON.stringify(document)}\n`,
    stderr: isDenied && reason !== '' ? `${reason}\n` : '',
  };
}

function changes(before: Fields, after: Fields): { set: Fields; removed: readonly string[] } {
  const changed = Object.entries(after).filter(
    ([field, value]) => !Object.hasOwn(before, field) || !same(before[field], value),
  );
  const removed = Object.keys(before).filter((field) => !Object.hasOwn(after, field));
  return { set: Object.fromEntries(changed), removed };
}

/** Without what is empty. */
const filled = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => Object.keys(value as object).length > 0));
