/** Stores the records of agent sessions in memory. `file-store.ts` stores one file per session. */

import { EMPTY_RECORD, type SessionRecord } from './record.ts';

/** The session id of events without one. The next such event may belong to another session. */
export const UNNAMED_SESSION = 'unknown';

export interface SessionStore {
  /**
   * Returns true if events of this session can be identified. Only then is anything stored for a single
   * session.
   */
  tracks(session: string): boolean;
  has(session: string): boolean;
  /** Returns an empty record if nothing is stored for the session. */
  read(session: string): SessionRecord;
  /** Replaces the record by the result of `change`. Returns false if it could not be stored. */
  update(session: string, change: (record: SessionRecord) => SessionRecord): boolean;
}

/** Beyond this number, the record that was written longest ago is dropped. */
const MOST_SESSIONS = 1000;
/**
 * Sessions with open questions are kept longer: without the record, an `allow` would count as the user's
 * answer.
 */
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
    this.#records.delete(session); // keeps the map in order of writing
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
