/** Delivers texts of background hooks with the next event of their session that can carry them. */

import type { Capabilities, Grades } from '../events/capabilities.ts';
import type { Event } from '../events/event.ts';
import type { EventName } from '../events/events.ts';
import type { Ruling, Run } from '../events/outcome.ts';
import type { LateText } from '../sessions/record.ts';
import type { SessionStore } from '../sessions/store.ts';

const MOST_PER_SESSION = 100;

export class LateTexts {
  readonly #store: SessionStore;
  readonly #can: Capabilities;
  /** Called when a text arrives or is handed out, because other events may then be worth firing. */
  readonly #onChange: () => void;
  /** Sessions with waiting texts, as far as this process knows. */
  readonly #waiting = new Set<string>();

  constructor(store: SessionStore, can: Capabilities, onChange: () => void) {
    this.#store = store;
    this.#can = can;
    this.#onChange = onChange;
  }
  add(run: Run, { ids: { session } }: Event): void {
    if (leaveTexts(this.#store, session, run)) this.#mark(session, true);
  }
  /** Whether an event of this name can carry a text that waits in some session. */
  mayBeCarriedBy(name: EventName): boolean {
    return this.#waiting.size > 0 && carries(this.#gradesAt(name));
  }
  /** Whether this event of this session can carry a waiting text. */
  waitsFor(name: EventName, session: string): boolean {
    return this.#store.read(session).lateTexts?.some(fitting(this.#gradesAt(name))) === true;
  }
  /** Adds the texts that this event can carry. Each is handed out once, even with several processes. */
  join(outcome: Ruling, { name, ids: { session } }: Event): Ruling {
    if (outcome.verdict === 'deny') return outcome;
    const { lateTexts = [] } = this.#store.read(session);
    this.#mark(session, lateTexts.length > 0);
    if (lateTexts.length === 0) return outcome;
    const taken = this.#take(session, fitting(this.#gradesAt(name)));
    return taken.length === 0 ? outcome : { ...outcome, said: [...taken, ...outcome.said] };
  }
  #take(session: string, isFitting: (text: LateText) => boolean): readonly LateText[] {
    let taken: readonly LateText[] = [];
    let left: readonly LateText[] = [];
    const isStored = this.#store.update(session, (record) => {
      const { lateTexts = [], ...others } = record;
      taken = lateTexts.filter(isFitting);
      left = lateTexts.filter((text) => !isFitting(text));
      if (taken.length === 0) return record;
      return left.length === 0 ? others : { ...others, lateTexts: left };
    });
    this.#mark(session, left.length > 0 || !isStored);
    return isStored ? taken : []; // texts that could not be removed stay until the disk is writable
  }
  #mark(session: string, isWaiting: boolean): void {
    if (this.#waiting.has(session) === isWaiting) return;
    if (isWaiting) this.#waiting.add(session);
    else this.#waiting.delete(session);
    this.#onChange();
  }
  #gradesAt(name: EventName): Grades {
    return this.#can[name] ?? {};
  }
}

const carries = ({ context, notice }: Grades): boolean => context !== undefined || notice !== undefined;
const fitting =
  ({ context, notice }: Grades) =>
  ({ to }: LateText): boolean =>
    (to === 'model' ? context : notice) !== undefined;

/** Stores the texts of a background hook for the next event of its session. Returns false if there are none. */
export function leaveTexts(store: SessionStore, session: string, run: Run): boolean {
  const texts = textsOf(run);
  if (texts.length === 0) return false;
  return store.update(session, (record) => ({
    ...record,
    lateTexts: [...(record.lateTexts ?? []), ...texts].slice(-MOST_PER_SESSION),
  }));
}

/** Context and notices. Other effects are too late. */
const textsOf = ({ hook, answer }: Run): readonly LateText[] =>
  (answer?.effects ?? []).flatMap((effect): LateText[] => {
    if (effect.kind === 'context') return [{ by: hook, to: 'model', text: effect.text }];
    return effect.kind === 'notice' ? [{ by: hook, to: 'person', text: effect.text }] : [];
  });
