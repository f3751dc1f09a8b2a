/** The history of rules, from the journals of sessions. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { firstPartOf } from '../journal/index.ts';
import { type History } from './history.ts';
import { type JournalFolders, LogFollower } from './log-follower.ts';
import { loggedRecord } from './logged-event.ts';
import { SessionLog } from './session-log.ts';

export class JournalHistory implements History {
  readonly #folder: string;
  readonly #follower: LogFollower<SessionLog>;

  constructor(folders: JournalFolders) {
    this.#folder = folders.folder;
    this.#follower = new LogFollower(folders, {
      make: () => new SessionLog(),
      add(log, record) {
        const event = loggedRecord(record);
        if (event !== undefined) log.add(event);
      },
    });
  }

  note(): void {
    // the record is in the journal
  }
  /** Called after each write of a record. */
  written(session: string, isInFile: boolean): void {
    this.#follower.written(session, isInFile);
  }
  session(session: string): SessionLog {
    return this.#follower.session(session);
  }
  since(atMs: number): readonly SessionLog[] {
    return this.#follower.files(recentJournals(this.#folder, atMs));
  }
}

/** First parts of the journals that were written since then. */
function recentJournals(folder: string, atMs: number): string[] {
  if (!existsSync(folder)) return [];
  const recent = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))
    .filter((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= atMs);
  return [...new Set(recent.map(firstPartOf))];
}
