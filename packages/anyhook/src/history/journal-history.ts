/** Follows the journals of sessions. Each record is read once, so the history survives restarts at a constant cost per event. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { headFileOf, journalFileOf, linesFrom, firstPartOf, nextPartOf } from '../journal/index.ts';
import { type History, HistoryFault } from './history.ts';
import { loggedRecord } from './logged-event.ts';
import { SessionLog } from './session-log.ts';

export interface JournalFolders {
  readonly folder: string;
  /** Folder of the heads, which show that a journal was there. */
  readonly heads: string;
}

export class JournalHistory implements History {
  readonly #folders: JournalFolders;
  readonly #followed = new Map<string, FollowedJournal>();
  /** Sessions with records that are not in their file yet. */
  readonly #unwritten = new Set<string>();

  constructor(folders: JournalFolders) {
    this.#folders = folders;
  }
  note(): void {
    // the record is in the journal
  }
  /** Called after each write of a record. */
  written(session: string, isInFile: boolean): void {
    if (isInFile) this.#unwritten.delete(session);
    else this.#unwritten.add(session);
  }
  session(session: string): SessionLog {
    if (this.#unwritten.has(session)) throw new HistoryFault('the journal cannot be written');
    const { folder, heads } = this.#folders;
    const file = journalFileOf(folder, session);
    if (!existsSync(file) && existsSync(headFileOf(heads, session)))
      throw new HistoryFault(`${file}: the journal of this session is missing`);
    return this.#follow(file);
  }
  since(atMs: number): readonly SessionLog[] {
    if (this.#unwritten.size > 0) throw new HistoryFault('the journal cannot be written');
    return recentJournals(this.#folders.folder, atMs).map((file) => this.#follow(file));
  }
  #follow(file: string): SessionLog {
    let followed = this.#followed.get(file);
    if (followed === undefined) this.#followed.set(file, (followed = new FollowedJournal(file)));
    return followed.read();
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

class FollowedJournal {
  readonly #log = new SessionLog();
  #file: string;
  #offset = 0;
  #inode = 0;
  #fault: HistoryFault | undefined;

  constructor(file: string) {
    this.#file = file;
  }
  /** Reads what was appended since the last time. */
  read(): SessionLog {
    while (this.#fault === undefined && this.#readPart()) continue;
    if (this.#fault !== undefined) throw this.#fault;
    return this.#log;
  }
  /** Returns true if there may be more to read. */
  #readPart(): boolean {
    const stats = statSync(this.#file, { throwIfNoEntry: false });
    if (this.#offset > 0 && (stats === undefined || stats.size < this.#offset || stats.ino !== this.#inode))
      return this.#damaged('was shortened, replaced or removed');
    if (stats === undefined) return false;
    const { size } = stats;
    this.#inode = stats.ino;
    const block = linesFrom(this.#file, this.#offset, size);
    for (const entry of block.entries) {
      if (entry.kind === 'damage') return this.#damaged(`is damaged: a record ${entry.why}`);
      if (entry.record.gap !== undefined) return this.#damaged('is incomplete: records are missing');
      const event = loggedRecord(entry.record);
      if (event !== undefined) this.#log.add(event);
    }
    this.#offset = block.to;
    if (block.to > block.from) return true;
    const next = nextPartOf(this.#file);
    if (!existsSync(next)) return false;
    [this.#file, this.#offset] = [next, 0];
    return true;
  }
  #damaged(what: string): false {
    this.#fault = new HistoryFault(`the journal ${basename(this.#file)} ${what}. Check it: anyhook verify`);
    return false;
  }
}
