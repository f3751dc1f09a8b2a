/**
 * A blocked stop makes the agent continue, but at most eight times in a row. The hook gets a flag that tells
 * it about this.
 */

import { byEvent } from '../events/by-event.ts';
import type { Event } from '../events/event.ts';
import { type EventName, rowOf } from '../events/events.ts';
import type { Ruling } from '../events/outcome.ts';
import { MemorySessionStore, type SessionStore } from './store.ts';

const IN_A_ROW = 8;
const ENDS = byEvent((name) => rowOf(name).ends === true);
export const announcesEnd = (name: EventName): boolean => ENDS[name];

export class Resumes {
  readonly #store: SessionStore;
  readonly #most: number;

  constructor(store: SessionStore = new MemorySessionStore(), most = IN_A_ROW) {
    this.#store = store;
    this.#most = most;
  }
  /** Sets the flag which shows the hook that the agent continues only because of a hook. */
  flag(event: Event): Event {
    if (!ENDS[event.name] || this.#countOf(event) === 0) return event;
    return { ...event, payload: { ...event.payload, active: true } } as Event;
  }
  cap(outcome: Ruling, event: Event): Ruling {
    if (!ENDS[event.name]) return outcome;
    const before = this.#countOf(event);
    if (outcome.flow.resume === undefined) {
      this.#setCount(event, 0);
      return outcome;
    }
    if (before < this.#most) {
      this.#setCount(event, before + 1);
      return outcome;
    }
    this.#setCount(event, 0);
    const { resume, ...flow } = outcome.flow;
    const text = `a stop hook made the agent continue ${this.#most} times in a row; it stops now (${resume})`;
    return {
      ...outcome,
      flow,
      lost: [...outcome.lost, `resume: ${this.#most} times in a row`],
      said: [...outcome.said, { by: 'host', to: 'person', text }],
    };
  }
  #countOf(event: Event): number {
    return this.#store.read(event.ids.session).resumes?.[keyOf(event)] ?? 0;
  }
  /**
   * Events without a known session are not counted, because the next one may belong to another session. A
   * count that cannot be stored is lost.
   */
  #setCount(event: Event, count: number): void {
    if (!this.#store.tracks(event.ids.session)) return;
    const key = keyOf(event);
    this.#store.update(event.ids.session, (record) => {
      const { [key]: before = 0, ...others } = record.resumes ?? {};
      if (before === count) return record;
      return { ...record, resumes: count === 0 ? others : { ...others, [key]: count } };
    });
  }
}

const keyOf = ({ name, ids }: Event): string => `${name} ${ids.agent ?? ''}`;
