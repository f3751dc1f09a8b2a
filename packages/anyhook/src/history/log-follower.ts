/** Follows the journals of sessions. Each record is read once, so a log survives restarts at a constant cost per event. */

import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { thrownText } from '../events/thrown.ts';
import {
  headFileOf,
  journalFileOf,
  linesFrom,
  linesWith,
  nextPartOf,
  type PlacedEntry,
  type ReadRecord,
} from '../journal/index.ts';
import { HistoryFault } from './history.ts';

export interface JournalFolders {
  readonly folder: string;
  /** Folder of the heads, which show that a journal was there. */
  readonly heads: string;
}
/** How records become a log. */
export interface LogReader<L> {
  readonly make: () => L;
  readonly add: (log: L, record: ReadRecord) => void;
  /** Only lines that contain one of these texts are read. Damage elsewhere is then not noticed. Default: all lines. */
  readonly texts?: (log: L) => readonly string[];
}

/** Fills one log per session. */
export class LogFollower<L> {
  readonly #folders: JournalFolders;
  readonly #reader: LogReader<L>;
  readonly #followed = new Map<string, FollowedJournal<L>>();
  /** Sessions with records that are not in their file yet. */
  readonly #unwritten = new Set<string>();

  constructor(folders: JournalFolders, reader: LogReader<L>) {
    this.#folders = folders;
    this.#reader = reader;
  }

  /** Called after each write of a record. */
  written(session: string, isInFile: boolean): void {
    if (isInFile) this.#unwritten.delete(session);
    else this.#unwritten.add(session);
  }
  /** Throws a `HistoryFault` if the journal is missing or damaged. */
  session(session: string): L {
    if (this.#unwritten.has(session)) throw new HistoryFault('the journal cannot be written');
    const { folder, heads } = this.#folders;
    const file = journalFileOf(folder, session);
    if (!existsSync(file) && existsSync(headFileOf(heads, session)))
      throw new HistoryFault(`${file}: the journal of this session is missing`);
    return this.#follow(file);
  }
  files(files: readonly string[]): readonly L[] {
    if (this.#unwritten.size > 0) throw new HistoryFault('the journal cannot be written');
    return files.map((file) => this.#follow(file));
  }

  #follow(file: string): L {
    let followed = this.#followed.get(file);
    if (followed === undefined)
      this.#followed.set(file, (followed = new FollowedJournal(file, this.#reader)));
    return followed.read();
  }
}

class FollowedJournal<L> {
  readonly #log: L;
  readonly #reader: LogReader<L>;
  #file: string;
  #offset = 0;
  #inode = 0;
  #fault: HistoryFault | undefined;
  /** A line of the part that is being read is in the log. */
  #hasTaken = false;

  constructor(file: string, reader: LogReader<L>) {
    this.#file = file;
    this.#log = reader.make();
    this.#reader = reader;
  }
  /** Reads what was appended since the last time. */
  read(): L {
    try {
      while (this.#fault === undefined && this.#readPart()) continue;
    } catch (error) {
      const text = thrownText(error);
      const fault = new HistoryFault(`the journal ${basename(this.#file)} cannot be read: ${text}`);
      // Lines of a part that was not read to its end would be read twice.
      if (this.#hasTaken) this.#fault = fault;
      throw fault;
    }
    if (this.#fault !== undefined) throw this.#fault;
    return this.#log;
  }
  /** Returns true if there may be more to read. */
  #readPart(): boolean {
    const stats = existsSync(this.#file) ? statSync(this.#file, { throwIfNoEntry: false }) : undefined;
    if (this.#offset > 0 && (stats === undefined || stats.size < this.#offset || stats.ino !== this.#inode))
      return this.#damaged('was shortened, replaced or removed');
    if (stats === undefined) return false;
    const { size } = stats;
    this.#inode = stats.ino;
    const to = this.#readLines(size);
    if (to === undefined) return false;
    const isMore = to > this.#offset;
    this.#offset = to;
    if (isMore) return true;
    const next = nextPartOf(this.#file);
    if (!existsSync(next)) return false;
    [this.#file, this.#offset] = [next, 0];
    return true;
  }
  /** Returns the offset after the last line, or undefined if the journal is damaged. */
  #readLines(size: number): number | undefined {
    const { texts } = this.#reader;
    this.#hasTaken = false;
    if (texts === undefined) {
      const { entries, to } = linesFrom(this.#file, this.#offset, size);
      return entries.every((entry) => this.#take(entry)) ? to : undefined;
    }
    const lines = linesWith(this.#file, this.#offset, size, () => texts(this.#log));
    for (;;) {
      const { done, value } = lines.next();
      if (done === true) return value;
      if (!this.#take(value)) return undefined;
    }
  }
  #take(entry: PlacedEntry): boolean {
    if (entry.kind === 'damage') return this.#damaged(`is damaged: a record ${entry.why}`);
    if (entry.record.gap !== undefined) return this.#damaged('is incomplete: records are missing');
    this.#hasTaken = true;
    this.#reader.add(this.#log, entry.record);
    return true;
  }
  #damaged(what: string): false {
    this.#fault = new HistoryFault(`the journal ${basename(this.#file)} ${what}. Check it: anyhook verify`);
    return false;
  }
}
