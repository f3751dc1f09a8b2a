import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  statSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Problem } from '../../events/problems.ts';
import { thrownText } from '../../events/thrown.ts';
import { makeFolder } from '../make-folder.ts';
import { isHash } from './hash.ts';
import { readTrustRecord, type TrustRecord } from './record.ts';

export type AddResult =
  | { readonly kind: 'added' }
  | { readonly kind: 'already' }
  | { readonly kind: 'failed'; readonly problem: Problem };

/**
 * Stores what the user trusted: one file per hash, never inside a project. A file that is damaged, or that
 * other users can write, grants no trust. It is reported and left unchanged.
 */
export interface TrustStore {
  readonly folder: string | undefined;
  has(key: string): boolean;
  add(record: TrustRecord): AddResult;
  /** Returns true if there was something to revoke. Accepts the key or the hash. */
  revoke(hash: string): boolean;
  list(): TrustRecord[];
  /** Returns the newest record of the same entry, preferably with the same fields. */
  previous(identity: string, entry: string): TrustRecord | undefined;
  readonly problems: readonly Problem[];
}

/** Without a home folder, `folder` is undefined and nothing is trusted. */
export const openTrustStore = (folder: string | undefined): TrustStore => new TrustFolder(folder);

class TrustFolder implements TrustStore {
  readonly folder: string | undefined;
  readonly #wanted: string | undefined;
  readonly #problems = new Map<string, Problem>();

  constructor(folder: string | undefined) {
    this.#wanted = folder;
    this.folder = folder !== undefined && isAbsolute(folder) ? folder : undefined;
    const obstacle = this.folder === undefined ? undefined : obstacleIn(this.folder);
    if (this.folder !== undefined && obstacle !== undefined)
      this.#report(
        this.folder,
        `cannot read the trust store: ${obstacle}. No trust is in effect.`,
        'Move it away or make it a folder that only you can read, then run: anyhook trust add',
      );
  }

  get problems(): readonly Problem[] {
    return [...this.#problems.values()];
  }

  has(key: string): boolean {
    return this.#load(key) !== undefined;
  }

  add(record: TrustRecord): AddResult {
    if (this.folder === undefined)
      return failed(
        this.#report(
          this.#wanted ?? '~/.local/share/anyhook/trust',
          'there is no home folder for the trust store.',
          'Set HOME or XDG_DATA_HOME to an absolute path.',
        ),
      );
    if (this.has(record.key)) return { kind: 'already' };
    try {
      write(this.folder, record);
      this.#problems.delete(fileOf(this.folder, record.key));
      return { kind: 'added' };
    } catch (error) {
      return failed(
        this.#report(
          this.folder,
          `cannot write the trust record: ${thrownText(error)}.`,
          'Make the folder writable only for you.',
        ),
      );
    }
  }

  revoke(hash: string): boolean {
    const { folder } = this;
    if (folder === undefined || !isHash(hash)) return false;
    const sameHash = this.list().filter((record) => record.hash === hash);
    const keys = new Set([hash, ...sameHash.map(({ key }) => key)]);
    return [...keys].map((key) => remove(fileOf(folder, key))).includes(true);
  }

  list(): TrustRecord[] {
    return keysIn(this.folder).flatMap((key) => this.#load(key) ?? []);
  }

  previous(identity: string, entry: string): TrustRecord | undefined {
    return this.list()
      .filter((record) => record.identity === identity)
      .toSorted((a, b) => Number(b.entry === entry) - Number(a.entry === entry) || (a.at < b.at ? 1 : -1))[0];
  }

  #load(key: string): TrustRecord | undefined {
    if (this.folder === undefined || !isHash(key)) return undefined;
    const file = fileOf(this.folder, key);
    const found = readPrivate(this.folder, file);
    if (found.kind === 'absent') return undefined;
    const record = found.kind === 'text' ? readTrustRecord(found.text, key) : undefined;
    if (record === undefined)
      this.#report(
        file,
        `is ignored as a trust record: ${found.kind === 'refused' ? found.why : 'it is damaged'}.`,
        'Inspect it, move it away, and trust the entry again.',
      );
    return record;
  }

  #report(file: string, message: string, remedy: string): Problem {
    const problem: Problem = { code: 'file-unreadable', file, message, remedy, severity: 'error' };
    this.#problems.set(file, problem);
    return problem;
  }
}

const failed = (problem: Problem): AddResult => ({ kind: 'failed', problem });
const fileOf = (folder: string, key: string): string => join(folder, `${key.slice('sha256:'.length)}.json`);

/** Returns why the folder cannot be listed. A missing folder is empty and not an error. */
function obstacleIn(folder: string): string | undefined {
  try {
    readdirSync(folder);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : thrownText(error);
  }
}

function keysIn(folder: string | undefined): string[] {
  if (folder === undefined) return [];
  try {
    return readdirSync(folder)
      .map((name) => `sha256:${name.replace(/\.json$/, '')}`)
      .filter((key) => isHash(key))
      .toSorted();
  } catch {
    return [];
  }
}

type Private = { kind: 'text'; text: string } | { kind: 'absent' } | { kind: 'refused'; why: string };

function readPrivate(folder: string, file: string): Private {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const isAbsent = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    return isAbsent ? { kind: 'absent' } : { kind: 'refused', why: thrownText(error) };
  }
  try {
    const [status, around] = [fstatSync(descriptor), statSync(folder)];
    if (!status.isFile()) return { kind: 'refused', why: 'it is not a regular file' };
    for (const s of [status, around]) {
      if (process.platform === 'win32') break;
      if (s.uid !== process.getuid?.()) return { kind: 'refused', why: 'it belongs to another user' };
      if ((s.mode & 0o022) !== 0) return { kind: 'refused', why: 'other users can write to it' };
    }
    return { kind: 'text', text: readFileSync(descriptor, 'utf8') };
  } catch (error) {
    return { kind: 'refused', why: thrownText(error) };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Writes atomically: to a temporary file that is then hard-linked to its name, which fails if the name
 * exists.
 */
function write(folder: string, record: TrustRecord): void {
  makeFolder(folder);
  const file = fileOf(folder, record.key);
  const aside = join(folder, `.${randomBytes(8).toString('hex')}.tmp`);
  try {
    writeFileSync(aside, `${JSON.stringify(record, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
    try {
      linkSync(aside, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const found = readPrivate(folder, file);
      if (found.kind === 'text' && readTrustRecord(found.text, record.key) !== undefined) return;
      // Damaged: kept next to the new file for inspection.
      renameSync(file, `${file}.damaged-${randomBytes(4).toString('hex')}`);
      linkSync(aside, file);
    }
  } finally {
    rmSync(aside, { force: true });
  }
}

function remove(file: string): boolean {
  try {
    rmSync(file);
    return true;
  } catch {
    return false;
  }
}
