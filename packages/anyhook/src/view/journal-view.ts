/** The journal as the page requests it: counted, followed, and read on demand. */

import { statSync } from 'node:fs';
import { fileNameOf } from '../events/session-file.ts';
import { linesBefore, linesFrom, type PlacedEntry, recordAt, type ReadRecord } from '../journal/index.ts';
import { safe } from '../render/safe.ts';
import { shortPath } from '../render/screen.ts';
import { type FollowedJournal, JournalFollower, type Listener } from './follow.ts';
import { shownEntry, type Viewpoint } from './shape.ts';
import { JournalTally, newSession, type SessionTally } from './tally.ts';
import type { CountedPart, SessionPart, SessionRow, ShownEntry, StreamMessage, ViewState } from './wire.ts';

type Hearer = (message: StreamMessage) => void;
/** Also requests the entries of this session from this offset on. */
export interface WatchedSession {
  readonly key: string;
  readonly from: number;
}
interface Subscription {
  readonly hear: Hearer;
  readonly watched: WatchedSession | undefined;
}

/** No path is below it. */
const NOWHERE = '/dev/null';
/** Lines per request: a page draws them at once. */
const LINES = 200;
/** How often progress is reported while old files are counted. */
const TELL_MS = 250;

export class JournalView implements Listener {
  tally = new JournalTally();
  readonly #sessions = new Map<string, SessionTally>();
  readonly #follower: JournalFollower;
  readonly #from: Viewpoint;
  readonly #subscriptions = new Set<Subscription>();
  #toldMs = 0;
  #wasWhole = false;
  #toldTrouble: string | undefined;

  constructor(folder: string, from: Viewpoint) {
    this.#from = from;
    this.#follower = new JournalFollower(folder, this);
    this.#follower.start();
  }

  close(): void {
    this.#follower.close();
    this.#subscriptions.clear();
  }

  readAll(): Promise<void> {
    return this.#follower.readAll();
  }

  subscribe(hear: Hearer, watched: WatchedSession | undefined): () => void {
    const subscription = { hear, watched };
    this.#subscriptions.add(subscription);
    this.#catchUp(subscription);
    return () => void this.#subscriptions.delete(subscription);
  }

  get counted(): CountedPart {
    const { records, damaged, upTo } = this.tally;
    let [bytes, ofBytes] = [0, 0];
    for (const { read, size } of this.#follower.files.values()) {
      bytes += read;
      ofBytes += size;
    }
    const isWhole = this.#follower.isCaughtUp;
    return { bytes, ofBytes, isWhole, records, damaged, ...(upTo !== '' && { upTo: safe(upTo) }) };
  }

  get trouble(): string | undefined {
    return this.#follower.trouble === undefined ? undefined : safe(this.#follower.trouble);
  }

  state(version: string, count: number): ViewState {
    const files = this.#follower.newestFirst();
    const { trouble } = this;
    return {
      folder: this.#fromHome(this.#follower.folder),
      project: this.#fromHome(this.#from.cwd),
      version,
      ...(trouble !== undefined && { trouble }),
      counted: this.counted,
      sessions: files.slice(0, count).map((file) => this.#row(file)),
      older: Math.max(0, files.length - count),
    };
  }

  /** Finds a session's file by its key or by the session id. */
  find(name: string): FollowedJournal | undefined {
    const { files } = this.#follower;
    return files.get(name) ?? files.get(fileNameOf(name));
  }

  keys(): string[] {
    return this.#follower.newestFirst().map(({ key }) => key);
  }

  /** Undefined if the session does not exist. */
  part(key: string, before?: number, count = LINES): SessionPart | undefined {
    const file = this.#follower.files.get(key);
    const size = file === undefined ? undefined : statSync(file.file, { throwIfNoEntry: false })?.size;
    if (file === undefined || size === undefined) return undefined;
    const { entries, from, to } = linesBefore(file.file, Math.min(before ?? size, size), count);
    return { session: this.#row(file), entries: this.#shown(entries), from, to };
  }

  record(key: string, at: number): ReadRecord | undefined {
    const file = this.#follower.files.get(key);
    const size = file === undefined ? undefined : statSync(file.file, { throwIfNoEntry: false })?.size;
    return file === undefined || size === undefined || at >= size ? undefined : recordAt(file.file, at, size);
  }

  entries(file: FollowedJournal, entries: readonly PlacedEntry[]): void {
    const { key } = file;
    let session = this.#sessions.get(key);
    if (session === undefined) this.#sessions.set(key, (session = newSession(key)));
    for (const entry of entries)
      if (entry.kind === 'record') this.tally.add(session, entry.record);
      else this.tally.addDamage(session);
    if (this.#subscriptions.size === 0) return;
    if (file.isCaughtUp || this.#isDue()) this.#tell({ kind: 'session', row: this.#row(file) });
    for (const { hear, watched } of this.#subscriptions) {
      const fresh = watched?.key === key ? entries.filter(({ at }) => at >= watched.from) : [];
      if (fresh.length > 0) hear({ kind: 'entries', key, entries: this.#shown(fresh) });
    }
  }

  anew(): void {
    this.tally = new JournalTally();
    this.#sessions.clear();
    this.#tell({ kind: 'anew' });
  }

  moved(): void {
    const { trouble } = this;
    const isWhole = this.#follower.isCaughtUp;
    const isNews = trouble !== this.#toldTrouble || isWhole !== this.#wasWhole;
    if (!isNews && !isWhole && !this.#isDue()) return;
    this.#wasWhole = isWhole;
    this.#toldTrouble = trouble;
    this.#toldMs = performance.now();
    this.#tell({ kind: 'state', counted: this.counted, ...(trouble !== undefined && { trouble }) });
  }

  /** Sends records read between opening a session and subscribing to it. */
  #catchUp({ hear, watched }: Subscription): void {
    const file = watched === undefined ? undefined : this.#follower.files.get(watched.key);
    if (file === undefined || watched === undefined) return;
    for (let from = watched.from; from < file.read;) {
      const { entries, to } = linesFrom(file.file, from, file.read);
      if (to === from) return;
      hear({ kind: 'entries', key: file.key, entries: this.#shown(entries) });
      from = to;
    }
  }

  #shown(entries: readonly PlacedEntry[]): ShownEntry[] {
    return entries.map((entry) => shownEntry(entry, this.#from));
  }

  /** `~/shop`: sessions belong to many projects. */
  #fromHome(path: string): string {
    return shortPath(path, { cwd: NOWHERE, home: this.#from.home });
  }

  #isDue(): boolean {
    return performance.now() - this.#toldMs > TELL_MS;
  }

  #tell(message: StreamMessage): void {
    for (const { hear } of this.#subscriptions) hear(message);
  }

  #row(file: FollowedJournal): SessionRow {
    const { key } = file;
    const known = this.#sessions.get(key);
    const { id, agent, cwd, startedAt, lastAt, questions, ...counts } = known ?? peeked(file);
    return {
      ...counts,
      key,
      id: safe(id),
      agent: safe(agent),
      project: cwd === '' ? '' : this.#fromHome(cwd),
      startedAt: safe(startedAt),
      lastAt: safe(lastAt === '' ? new Date(file.writtenMs).toISOString() : lastAt),
      openQuestions: questions.size,
      isCounted: file.isCaughtUp,
    };
  }
}

/** What the first line contains, for a file that was not counted yet. */
function peeked({ key, file, size }: FollowedJournal): SessionTally {
  const session = newSession(key);
  try {
    const first = recordAt(file, 0, size);
    if (first === undefined) return session;
    const { ids, host, scene, at } = first;
    return { ...session, id: ids.session, agent: host.name, cwd: scene.cwd, startedAt: at };
  } catch {
    return session; // removed in between
  }
}
