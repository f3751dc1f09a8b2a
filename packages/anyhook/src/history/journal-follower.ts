/** Follows the journals of sessions. Each record is read once, so a log survives restarts at a constant cost per event. */

import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { headFileOf, journalFileOf, linesFrom, nextPartOf, type ReadRecord } from '../journal/index.ts';
import { HistoryFault } from './history.ts';

export interface JournalFolders {
  readonly folder: string;
  /** Folder of the heads, which show that a journal was there. */
  readonly heads: string;
}
export type AddRecord<L> = (log: L, record: ReadRecord) => void;

/** Fills one log per session. */
export class JournalFollower<L> {
  readonly #folders: JournalFolders;
  readonly #makeLog: () => L;
  readonly #add: AddRecord<L>;
  readonly #followed = new Map<string, FollowedJournal<L>>();
  /** Sessions with records that are not in their file yet. */
  readonly #unwritten = new Set<string>();

  constructor(folders: JournalFolders, makeLog: () => L, add: AddRecord<L>) {
    this.#folders = folders;
    this.#makeLog = makeLog;
    this.#add = add;
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
      this.#followed.set(file, (followed = new FollowedJournal(file, this.#makeLog(), this.#add)));
    return followed.read();
  }
}

class FollowedJournal<L> {
  readonly #log: L;
  readonly #add: AddRecord<L>;
  #file: string;
  #offset = 0;
  #inode = 0;
  #fault: HistoryFault | undefined;

  constructor(file: string, log: L, add: AddRecord<L>) {
    this.#file = file;
    this.#log = log;
    this.#add = add;
  }
  /** Reads what was appended since the last time. */
  read(): L {
    while (this.#fault === undefined && this.#readPart()) continue;
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
    const block = linesFrom(this.#file, this.#offset, size);
    for (const entry of block.entries) {
      if (entry.kind === 'damage') return this.#damaged(`is damaged: a record ${entry.why}`);
      if (entry.record.gap !== undefined) return this.#damaged('is incomplete: records are missing');
      this.#add(this.#log, entry.record);
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
