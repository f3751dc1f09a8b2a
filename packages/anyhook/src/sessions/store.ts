/** Where the records of agent sessions are kept. In memory here; `session-files.ts` keeps one file per session. */
import { EMPTY_RECORD, type SessionRecord } from './record.ts';

/** The id that events without a session have: the next such event may belong to any session. */
export const UNNAMED_SESSION = 'unknown';

export interface SessionStore {
  /** Can events of this session be told from those of others? What concerns one session only is kept only then. */
  tracks(session: string): boolean;
  has(session: string): boolean;
  /** Empty if nothing is remembered of the session. */
  read(session: string): SessionRecord;
  /** Replaces the record by what `change` returns. False if the new record could not be stored. */
  update(session: string, change: (record: SessionRecord) => SessionRecord): boolean;
}

/** Sessions come and go: beyond this number the record that was written longest ago is dropped. */
const MOST_SESSIONS = 1000;
/** Sessions with open questions are not dropped: an `allow` would count as the user's answer then. */
const MOST_WITH_QUESTIONS = 10_000;

export class MemorySessionStore implements SessionStore {
  readonly #records = new Map<string, SessionRecord>();

  tracks(): boolean {
    return true;
  }
  has(session: string): boolean {
    return this.#records.has(session);
  }
  read(session: string): SessionRecord {
    return this.#records.get(session) ?? EMPTY_RECORD;
  }
  update(session: string, change: (record: SessionRecord) => SessionRecord): boolean {
    const before = this.read(session);
    const next = change(before);
    if (next === before) return true;
    if (!this.#records.has(session) && !this.#makeRoom()) return false;
    this.#records.delete(session); // the order of the map is the order of writing
    this.#records.set(session, next);
    return true;
  }
  #makeRoom(): boolean {
    if (this.#records.size < MOST_SESSIONS) return true;
    for (const [session, { questions = {} }] of this.#records)
      if (Object.keys(questions).length === 0) return this.#records.delete(session);
    return this.#records.size < MOST_WITH_QUESTIONS;
  }
}
