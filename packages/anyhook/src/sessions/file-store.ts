/**
 * Stores the records of agent sessions as files, so that they outlive the process: one small JSON file per
 * session, private to the user.
 */

import { createHash } from 'node:crypto';
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskMark, lookKey } from '../settings/disk-record.ts';
import { withFileLock } from '../settings/file-lock.ts';
import { makeFolder } from '../settings/make-folder.ts';
import { readOwn } from '../settings/own-file.ts';
import { EMPTY_RECORD, parseSessionRecord, type SessionRecord } from './record.ts';
import { type SessionStore, UNNAMED_SESSION } from './store.ts';

/** A session that was last written longer ago is removed when a new one starts. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_BYTES = 16 * 1024 * 1024;
const MOST_CACHED = 100;

interface CachedRecord {
  /** File status at the time of reading. */
  readonly mark: string;
  /** Undefined if the file is missing or not a record. */
  readonly record: SessionRecord | undefined;
}

export interface SessionFilesOptions {
  readonly folder: string;
  /** Part of the key, because sessions of different agents may have the same name. */
  readonly host: string;
  /** The id that events without a session get in this process. */
  readonly ownSession?: string;
}

export class SessionFiles implements SessionStore {
  readonly #options: SessionFilesOptions;
  readonly #cached = new Map<string, CachedRecord>();

  constructor(options: SessionFilesOptions) {
    this.#options = options;
  }
  tracks(session: string): boolean {
    return session !== '' && session !== UNNAMED_SESSION && session !== this.#options.ownSession;
  }
  has(session: string): boolean {
    return this.#look(this.#fileOf(session)) !== undefined;
  }
  read(session: string): SessionRecord {
    return this.#look(this.#fileOf(session)) ?? EMPTY_RECORD;
  }
  update(session: string, change: (record: SessionRecord) => SessionRecord): boolean {
    const file = this.#fileOf(session);
    const before = this.read(session);
    if (change(before) === before) return true; // nothing to write, so no lock is taken
    try {
      makeFolder(this.#options.folder);
      withFileLock(file, () => {
        const now = recordIn(file);
        if (now === undefined) removeOld(this.#options.folder);
        const next = change(now ?? EMPTY_RECORD);
        if (next !== now) writeRecord(file, next);
      });
      return true;
    } catch {
      return false; // full or read-only disk: the caller that needs the record refuses
    }
  }

  /** Reads the file only if it has changed since the last read. */
  #look(file: string): SessionRecord | undefined {
    const mark = diskMark(lookKey('file', file));
    const cached = this.#cached.get(file);
    if (cached?.mark === mark) return cached.record;
    if (this.#cached.size >= MOST_CACHED) this.#cached.clear();
    const record = recordIn(file);
    this.#cached.set(file, { mark, record });
    return record;
  }
  #fileOf(session: string): string {
    const { folder, host } = this.#options;
    const name = createHash('sha256').update(`${host} ${session}`).digest('hex').slice(0, 32);
    return join(folder, `${name}.json`);
  }
}

function recordIn(file: string): SessionRecord | undefined {
  const bytes = readOwn(file, MAX_BYTES);
  return bytes === undefined ? undefined : parseSessionRecord(bytes.toString('utf8'));
}

/** Writes atomically: a reader sees the old record or the new one. */
function writeRecord(file: string, record: SessionRecord): void {
  const aside = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(aside, JSON.stringify(record), { mode: 0o600 });
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
    if (Date.now() - mtimeMs > KEPT_MS) rmSync(file, { force: true });
  }
}
