/** What rules read: the log of one session, and those of a project. */

import type { LoggedEvent } from './logged-event.ts';
import { SessionLog } from './session-log.ts';

/** Thrown if a history is missing or damaged. A rule then fails by its policy. */
export class HistoryFault extends Error {}

export interface History {
  /** Adds an event that was just answered. A history that follows the journal ignores it. */
  note(event: LoggedEvent): void;
  session(session: string): SessionLog;
  /** The logs of all sessions that may have called a tool since then. Calls of other projects are included. */
  since(atMs: number): readonly SessionLog[];
  /** The time at which rules judge, in milliseconds since 1970. Default: now. */
  readonly nowMs?: () => number;
}

const MOST_SESSIONS = 1000;

/** A history without a journal. It knows only what this process has seen. */
export class MemoryHistory implements History {
  readonly #logs = new Map<string, SessionLog>();
  /** Sessions whose log was dropped. They must not look like new ones. */
  readonly #dropped = new Set<string>();

  note(event: LoggedEvent): void {
    const { session } = event.ids;
    if (this.#dropped.has(session)) return;
    const log = this.#logs.get(session) ?? new SessionLog();
    this.#logs.delete(session); // keeps the map in order of use
    this.#logs.set(session, log);
    log.add(event);
    const [oldest] = this.#logs.keys();
    if (this.#logs.size <= MOST_SESSIONS || oldest === undefined) return;
    this.#logs.delete(oldest);
    this.#dropped.add(oldest);
  }
  session(session: string): SessionLog {
    if (this.#dropped.has(session))
      throw new HistoryFault('the history of this session was dropped, and no journal is written');
    return this.#logs.get(session) ?? new SessionLog();
  }
  since(): readonly SessionLog[] {
    if (this.#dropped.size > 0) throw new HistoryFault('histories were dropped, and no journal is written');
    return [...this.#logs.values()];
  }
}
