/** Keeps the open questions of hooks in the record of their session. */

import { createHash } from 'node:crypto';
import type { QuestionStore } from '../engine/open-questions.ts';
import type { Event } from '../events/event.ts';
import type { SessionStore } from '../sessions/store.ts';

/** With this many open questions, further calls that need a question are refused. */
const MOST_OPEN = 1000;
const KEPT_MS = 24 * 60 * 60_000;

export function questionsIn(store: SessionStore): QuestionStore {
  return {
    has: ({ ids }, call) => store.read(ids.session).questions?.[hashOf(call)] !== undefined,
    add({ ids }, call) {
      const hash = hashOf(call);
      let isFull = false;
      const isStored = store.update(ids.session, (record) => {
        const open = Object.entries(record.questions ?? {}).filter(([, at]) => Date.now() - at < KEPT_MS);
        isFull = open.length >= MOST_OPEN;
        return isFull
          ? record
          : { ...record, questions: { ...Object.fromEntries(open), [hash]: Date.now() } };
      });
      return isStored && !isFull;
    },
    remove({ ids }: Event, call) {
      const hash = hashOf(call);
      store.update(ids.session, (record) => {
        const { [hash]: asked, ...others } = record.questions ?? {};
        return asked === undefined ? record : { ...record, questions: others };
      });
    },
  };
}

/** Hash of the exact call, independent of key order. */
function hashOf(call: unknown): string {
  const { tool, input } = call as { tool?: unknown; input?: unknown };
  return createHash('sha256')
    .update(JSON.stringify([tool, sorted(input)]))
    .digest('hex')
    .slice(0, 32);
}
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sorted(inner)])
      : value;
