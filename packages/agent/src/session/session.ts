/** One session: a tree of entries and the current leaf. Entries are written as they are added. */

import { randomBytes } from 'node:crypto';
import type { Usage } from 'anyhook';
import { type AppendFile, type Disk, openAppendFile, setAside } from './append-file.ts';
import { contextOf, type PlacedMessage } from './context-of.ts';
import type { Entry, EntryOf, Header, NewEntry } from './entry.ts';
import type { Message } from './message.ts';
import { readSession } from './read-session.ts';

export interface SessionTerms {
  /** Reports problems to the user, such as a torn line or a full disk. */
  readonly warn: (message: string) => void;
  readonly disk?: Disk;
}

export class Session {
  readonly header: Header;
  readonly file: string;
  readonly #entries: Entry[];
  readonly #byId: Map<string, Entry>;
  readonly #terms: SessionTerms;
  #leaf: string | null;
  #out: AppendFile | undefined;
  /** Lines that are not on disk yet, oldest first. */
  #unwritten: string[];
  #wasFull = false;
  #usage: Usage = {};

  private constructor(header: Header, file: string, entries: readonly Entry[], terms: SessionTerms) {
    this.header = header;
    this.file = file;
    this.#entries = [...entries];
    this.#byId = new Map(entries.map((entry) => [entry.id, entry]));
    this.#terms = terms;
    this.#leaf = entries.at(-1)?.id ?? null;
    this.#unwritten = [];
    for (const entry of entries) this.#usage = usageWith(this.#usage, entry);
  }

  /** Writes nothing before the first entry, so an empty session leaves no file. */
  static create(header: Header, file: string, terms: SessionTerms, entries: readonly Entry[] = []): Session {
    const session = new Session(header, file, entries, terms);
    session.#unwritten = [header, ...entries].map((line) => JSON.stringify(line));
    if (entries.length > 0) session.#flush();
    return session;
  }

  /** Throws `UnreadableSession` for an invalid file. */
  static open(file: string, terms: SessionTerms): Session {
    const { header, entries, torn, skipped } = readSession(file);
    if (torn !== undefined) {
      const aside = setAside(file, torn.text, torn.soundBytes);
      terms.warn(
        `${file}:${torn.line}: the last line was cut off, as after a crash; it is kept in ${aside}. Everything before it is here.`,
      );
    }
    for (const { line, why } of skipped) terms.warn(`${file}${line > 0 ? `:${line}` : ''}: ${why}.`);
    return new Session(header, file, entries, terms);
  }

  get id(): string {
    return this.header.id;
  }
  get leaf(): string | null {
    return this.#leaf;
  }
  get entries(): readonly Entry[] {
    return this.#entries;
  }
  /** False if some entries are only in memory because the disk rejected them. */
  get isSaved(): boolean {
    return !this.#wasFull;
  }
  /** Tokens of all requests of this session, also those of branches that were left. */
  get usage(): Usage {
    return this.#usage;
  }
  entry(id: string): Entry | undefined {
    return this.#byId.get(id);
  }

  /** `id` is a value from `newId`, for callers that need the id in advance. */
  append(newEntry: NewEntry, id = this.newId()): Entry {
    const entry = {
      ...newEntry,
      id,
      parentId: this.#leaf,
      timestamp: new Date().toISOString(),
    } as Entry;
    this.#entries.push(entry);
    this.#usage = usageWith(this.#usage, entry);
    this.#byId.set(entry.id, entry);
    this.#leaf = entry.id;
    this.#unwritten.push(JSON.stringify(entry));
    this.#flush();
    return entry;
  }
  say(message: Message, id?: string): EntryOf<'message'> {
    return this.append({ type: 'message', message }, id) as EntryOf<'message'>;
  }

  /** The next entry follows this one; null is the root. */
  moveTo(id: string | null): void {
    if (id !== null && !this.#byId.has(id)) throw new RangeError(`the session has no entry ${id}`);
    this.#leaf = id;
  }

  /** The path from the root to an entry. */
  branch(to: string | null = this.#leaf): Entry[] {
    const path: Entry[] = [];
    for (let at = to === null ? undefined : this.#byId.get(to); at !== undefined;) {
      path.unshift(at);
      at = at.parentId === null ? undefined : this.#byId.get(at.parentId);
    }
    return path;
  }
  context(): PlacedMessage[] {
    return contextOf(this.branch());
  }
  messages(): Message[] {
    return this.context().map(({ message }) => message);
  }
  /** The name that a hook or the user set. */
  get title(): string | undefined {
    const named = this.#entries.findLast((entry) => entry.type === 'label' && entry.target === null);
    return named?.type === 'label' ? named.label : undefined;
  }

  close(): void {
    if (this.#out !== undefined) this.#flush();
    this.#out?.close();
    this.#out = undefined;
  }

  newId(): string {
    for (;;) {
      const id = randomBytes(4).toString('hex');
      if (!this.#byId.has(id)) return id;
    }
  }

  /** Retries unwritten lines with every entry. Warns on the first failure and when all lines are written. */
  #flush(): void {
    try {
      this.#out ??= openAppendFile(this.file, this.#terms.disk);
      while (this.#unwritten[0] !== undefined) {
        this.#out.append(this.#unwritten[0]);
        this.#unwritten.shift();
      }
      if (this.#wasFull) this.#terms.warn(`${this.file}: written again; nothing of the session was lost.`);
      this.#wasFull = false;
    } catch (error) {
      if (!this.#wasFull) this.#terms.warn(notWritten(this.file, error as NodeJS.ErrnoException));
      this.#wasFull = true;
    }
  }
}

const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: make room',
  EDQUOT: 'your quota is used up: make room',
  EROFS: 'the disk is read-only',
  EACCES: 'it may not be written: check the rights of the folder',
};
const notWritten = (file: string, { code = '', message }: NodeJS.ErrnoException): string =>
  `${file} cannot be written: ${CAUSES[code] ?? message}. The session goes on in memory and is written as soon as it can be; it is lost if the program ends before that.`;

function usageWith(usage: Usage, entry: Entry): Usage {
  if (entry.type !== 'message' || entry.message.role !== 'assistant') return usage;
  const { usage: request } = entry.message;
  if (request === undefined) return usage;
  const { input, output } = request;
  const { inputTokens = 0, outputTokens = 0 } = usage.session ?? {};
  return {
    session: { inputTokens: inputTokens + input, outputTokens: outputTokens + output },
    last: { inputTokens: input, outputTokens: output },
    contextTokens: input + output,
  };
}
