/**
 * Follows a folder of journals. Older content is read in the background in short steps, newest files first. New content is read
 * at once, from where the last read ended. No file is read twice or as a whole.
 */

import { type FSWatcher, readdirSync, type Stats, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { linesFrom, type PlacedEntry } from '../journal/index.ts';

export interface FollowedJournal {
  readonly key: string;
  readonly file: string;
  readonly inode: number;
  writtenMs: number;
  size: number;
  /** Bytes read so far. */
  read: number;
  /** It was read to its end once, so later records are new. */
  isCaughtUp: boolean;
  /** File size with an unfinished last line. It is read again once the file has grown. */
  unfinishedAt: number;
}

export interface Listener {
  /** The next entries of a file; not called while its last line is unfinished. */
  entries(file: FollowedJournal, entries: readonly PlacedEntry[]): void;
  /** A file was shortened, replaced or removed: all counts start again. */
  anew(): void;
  /** Progress or trouble changed. */
  moved(): void;
}

/** Length of one read step, and so the longest wait of a page request. */
const STEP_MS = 12;
/** How often recently written files are checked, in case file system events are missing. */
const GLANCE_MS = 300;
const GLANCED_AT = 24;
/** How often the whole folder is checked for unnoticed changes. */
const SWEEP_MS = 5000;
/** File system events arrive in bursts. */
const SETTLE_MS = 30;

export class JournalFollower {
  readonly folder: string;
  readonly files = new Map<string, FollowedJournal>();
  trouble: string | undefined;
  readonly #listener: Listener;
  #watcher: FSWatcher | undefined;
  #glancing: NodeJS.Timeout | undefined;
  #settling: NodeJS.Timeout | undefined;
  #stepping: NodeJS.Immediate | undefined;
  readonly #reported = new Set<string>();
  #folderInode = 0;
  #sweptMs = 0;
  #isClosed = false;

  constructor(folder: string, listener: Listener) {
    this.folder = folder;
    this.#listener = listener;
  }

  start(): void {
    this.#sweep();
    this.#glancing = setInterval(() => this.#glance(), GLANCE_MS);
    this.#glancing.unref();
  }

  close(): void {
    this.#isClosed = true;
    this.#watcher?.close();
    clearInterval(this.#glancing);
    clearTimeout(this.#settling);
    clearImmediate(this.#stepping);
  }

  get isCaughtUp(): boolean {
    return this.#next() === undefined;
  }

  newestFirst(): FollowedJournal[] {
    return [...this.files.values()].sort((a, b) => b.writtenMs - a.writtenMs);
  }

  /** Reads everything without pauses, for an export. */
  async readAll(): Promise<void> {
    while (!this.isCaughtUp) {
      this.#step();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #glance(): void {
    if (this.#isClosed) return;
    if (this.trouble !== undefined || Date.now() - this.#sweptMs > SWEEP_MS) return this.#sweep();
    this.#lookAt(
      this.newestFirst()
        .slice(0, GLANCED_AT)
        .map(({ key }) => `${key}.jsonl`),
    );
  }

  #sweep(): void {
    this.#sweptMs = Date.now();
    let names: string[];
    try {
      names = readdirSync(this.folder).filter((name) => name.endsWith('.jsonl'));
      this.#watch(statSync(this.folder).ino);
    } catch (error) {
      return this.#say(this.#obstacle(error as NodeJS.ErrnoException));
    }
    this.#say(undefined);
    const there = new Set(names);
    if ([...this.files.keys()].some((key) => !there.has(`${key}.jsonl`))) this.#forget();
    this.#lookAt(names);
  }

  #obstacle({ code }: NodeJS.ErrnoException): string {
    if (code !== 'ENOENT') return `The journal folder ${this.folder} cannot be read (${code}).`;
    return this.files.size === 0
      ? `There is no journal folder ${this.folder} yet. The first record creates it.`
      : `The journal folder ${this.folder} was removed. The data shown was read earlier.`;
  }

  #watch(inode: number): void {
    if (this.#watcher !== undefined && this.#folderInode === inode) return;
    this.#watcher?.close();
    this.#folderInode = inode;
    try {
      this.#watcher = watch(this.folder, { persistent: false }, (_, name) => this.#hear(name));
      this.#watcher.on('error', () => {}); // the folder was removed: the next check notices
    } catch {
      // watches are unavailable: the checks do the work
    }
  }

  #hear(name: string | null): void {
    if (name?.endsWith('.jsonl') === true) this.#reported.add(name);
    else if (name === null) this.#sweptMs = 0;
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      const names = [...this.#reported];
      this.#reported.clear();
      if (!this.#isClosed) this.#lookAt(names);
    }, SETTLE_MS);
  }

  #lookAt(names: readonly string[]): void {
    for (const name of names) {
      const file = join(this.folder, name);
      const status = statSync(file, { throwIfNoEntry: false });
      if (status === undefined) return void (this.#sweptMs = 0);
      if (status.isFile() && !this.#note(name.slice(0, -'.jsonl'.length), file, status)) return this.#anew();
    }
    this.#goOn();
  }

  /** `false` if it is not the file that was read before. */
  #note(key: string, file: string, { ino, size, mtimeMs }: Stats): boolean {
    const known = this.files.get(key);
    if (known === undefined) {
      const fresh = { key, file, inode: ino, writtenMs: mtimeMs, size, read: 0, unfinishedAt: -1 };
      this.files.set(key, { ...fresh, isCaughtUp: size === 0 });
      return true;
    }
    if (known.inode !== ino || size < known.read) return false;
    known.size = size;
    known.writtenMs = mtimeMs;
    return true;
  }

  #anew(): void {
    this.#forget();
    this.#sweep();
  }

  #forget(): void {
    this.files.clear();
    this.#listener.anew();
  }

  #say(trouble: string | undefined): void {
    if (trouble === this.trouble) return;
    this.trouble = trouble;
    this.#listener.moved();
  }

  #goOn(): void {
    if (this.#isClosed || this.#stepping !== undefined || this.isCaughtUp) return;
    this.#stepping = setImmediate(() => {
      this.#stepping = undefined;
      if (this.#isClosed) return;
      this.#step();
      this.#goOn();
    });
  }

  /** New records before old ones. */
  #next(): FollowedJournal | undefined {
    let best: FollowedJournal | undefined;
    for (const journal of this.files.values()) {
      if (journal.read >= journal.size || journal.unfinishedAt === journal.size) continue;
      if (best === undefined || isSooner(journal, best)) best = journal;
    }
    return best;
  }

  #step(): void {
    const until = performance.now() + STEP_MS;
    for (
      let journal = this.#next();
      journal !== undefined && performance.now() < until;
      journal = this.#next()
    )
      this.#read(journal);
    this.#listener.moved();
  }

  #read(journal: FollowedJournal): void {
    try {
      const { entries, to } = linesFrom(journal.file, journal.read, journal.size);
      if (to === journal.read) journal.unfinishedAt = journal.size;
      journal.read = to;
      if (to >= journal.size || journal.unfinishedAt === journal.size) journal.isCaughtUp = true;
      this.#listener.entries(journal, entries);
    } catch {
      journal.unfinishedAt = journal.size; // removed or not readable: the next sweep reports it
      this.#sweptMs = 0;
    }
  }
}

const isSooner = (journal: FollowedJournal, than: FollowedJournal): boolean =>
  journal.isCaughtUp === than.isCaughtUp ? journal.writtenMs > than.writtenMs : journal.isCaughtUp;
