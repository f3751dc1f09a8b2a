/**
 * Tracks calls that a hook asked about. Only the user, or a hook that the user named as an approver, may
 * answer such a question. When the host fires its permission prompt for the call, an `allow` of any other
 * hook does not count.
 */

import type { Event } from '../events/event.ts';
import { EVENT_NAMES, type EventName, rowOf } from '../events/events.ts';
import type { Ruling } from '../events/outcome.ts';

/** The calls that a hook asked about and that no hook has judged again since. */
export interface QuestionStore {
  has(event: Event, call: unknown): boolean;
  /** Returns false if the question could not be recorded. */
  add(event: Event, call: unknown): boolean;
  remove(event: Event, call: unknown): void;
}

const QUESTIONS: ReadonlySet<EventName> = new Set(EVENT_NAMES.flatMap((name) => rowOf(name).question ?? []));

/** Returns true for events that raise or answer questions about calls. */
export const concernsQuestions = (name: EventName): boolean =>
  rowOf(name).question !== undefined || QUESTIONS.has(name);

export function followQuestion(
  ruling: Ruling,
  event: Event,
  store: QuestionStore,
  approvers: readonly string[],
): Ruling {
  if (QUESTIONS.has(event.name)) return withoutForeignAnswers(ruling, event, store, approvers);
  // A call that still waits for its answer was refused for now, and stays a question.
  if (ruling.verdict !== 'ask' && ruling.approval?.kind !== 'waiting') {
    store.remove(event, ruling.payload);
    return ruling;
  }
  if (store.add(event, ruling.payload)) return ruling;
  const text = 'a hook asks about this call, and the question could not be recorded. See: anyhook doctor.';
  return { ...ruling, verdict: 'deny', reasons: [...ruling.reasons, { by: 'host', text, broken: true }] };
}

function withoutForeignAnswers(
  ruling: Ruling,
  event: Event,
  store: QuestionStore,
  approvers: readonly string[],
): Ruling {
  if (ruling.verdict !== 'allow' || !store.has(event, event.payload)) return ruling;
  if (ruling.reasons.some(({ by }) => approvers.includes(by))) return ruling;
  const lost = ruling.reasons.map(
    ({ by }) => `allow from ${by}: another hook asks about this call, and only the user can answer it`,
  );
  return { ...ruling, verdict: 'none', reasons: [], given: [], lost: [...ruling.lost, ...lost] };
}
