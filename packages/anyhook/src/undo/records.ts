/**
 * One record per call that may have changed files, with the snapshots before and after it. A record is in `open` until the call has
 * ended. Every write is a rename, so a process that is killed leaves the old record or the new one.
 */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../settings/make-folder.ts';
import type { LeftOut } from './scan.ts';
import type { PathState } from './tree.ts';

/** A folder and its snapshots around a call. Both name a tree. */
export interface Area {
  /** A byte path. */
  readonly root: string;
  readonly before: string;
  readonly after?: string;
  /** The call can have changed only these, as byte paths below the root. Missing: anything. */
  readonly paths?: readonly string[];
}

export interface UndoRecord {
  readonly version: 1;
  /** Later records have greater ids. */
  readonly id: string;
  /** `undo`: the user put something back. */
  readonly kind: 'call' | 'undo';
  readonly agent: string;
  readonly session: string;
  readonly turn: number;
  /** The agent's id of the call. */
  readonly call?: string;
  readonly tool: string;
  /** A command or a path, for lists. */
  readonly what: string;
  /** When the snapshot before it was complete. */
  readonly at: string;
  readonly endedAt?: string;
  /** The project first. */
  readonly areas: readonly Area[];
  /** The state before the next call, in case the end of this one is never reported. */
  readonly next?: { readonly tree: string; readonly at: string };
  /**
   * The agent did not report its end: the snapshot after it was taken later. The user or the agent may have refused the call, and what changed
   * meanwhile may be the user's.
   */
  readonly isEndAssumed?: true;
  /** Of an undo: what it makes of each path, written before it begins. */
  readonly intended?: readonly Intention[];
  /** Of an undo: the ids of the calls that it put back, wholly or in part. */
  readonly undid?: readonly string[];
  readonly leftOut: readonly LeftOut[];
  readonly leftOutCount: number;
}

export interface Intention {
  readonly root: string;
  readonly path: string;
  readonly before: PathState;
  readonly after: PathState;
}

export const MOST_LEFT_OUT = 50;

export class UndoRecords {
  readonly #folder: string;
  #lastId = '';

  constructor(folder: string) {
    this.#folder = folder;
  }

  newId(): string {
    let ms = Date.now();
    const spelled = () => `${ms.toString(36).padStart(9, '0')}`;
    while (spelled() <= this.#lastId) ms += 1;
    this.#lastId = spelled();
    return `${this.#lastId}${process.pid.toString(36)}`;
  }

  begin(record: UndoRecord): void {
    write(join(this.#folder, 'open'), record);
  }
  close(record: UndoRecord): void {
    write(join(this.#folder, 'calls'), record);
    rmSync(join(this.#folder, 'open', fileName(record.id)), { force: true });
  }
  remove({ id }: UndoRecord): void {
    for (const place of ['open', 'calls']) rmSync(join(this.#folder, place, fileName(id)), { force: true });
  }

  open(): readonly UndoRecord[] {
    return readAll(join(this.#folder, 'open'));
  }
  /** Oldest first. A record that was closed and whose removal from `open` was interrupted counts once. */
  all(): readonly UndoRecord[] {
    const records = new Map(this.open().map((record) => [record.id, record]));
    for (const record of readAll(join(this.#folder, 'calls'))) records.set(record.id, record);
    return [...records.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** The turn of a session; undefined before its first call. */
  turnOf(agent: string, session: string): SessionTurn | undefined {
    return readJson<SessionTurn>(this.#turnFile(agent, session));
  }
  keepTurn(agent: string, session: string, turn: SessionTurn): void {
    writeJson(join(this.#folder, 'turns'), turnName(agent, session), turn);
  }
  /** Files that a killed process was writing. Called under the lock. */
  removeUnfinished(): void {
    for (const place of ['open', 'calls', 'turns'])
      for (const name of namesIn(join(this.#folder, place)))
        if (name.endsWith('.tmp')) rmSync(join(this.#folder, place, name), { force: true });
  }
  /** Turns of sessions whose records are gone. */
  removeTurns(keep: readonly UndoRecord[]): void {
    const kept = new Set(keep.map(({ agent, session }) => turnName(agent, session)));
    for (const name of namesIn(join(this.#folder, 'turns')))
      if (!kept.has(name)) rmSync(join(this.#folder, 'turns', name), { force: true });
  }
  #turnFile(agent: string, session: string): string {
    return join(this.#folder, 'turns', turnName(agent, session));
  }
}

export interface SessionTurn {
  readonly turn: number;
  readonly isEnded: boolean;
}

const fileName = (id: string): string => `${id}.json`;
const turnName = (agent: string, session: string): string =>
  `${createHash('sha256').update(`${agent}\n${session}`).digest('hex').slice(0, 32)}.json`;

const write = (folder: string, record: UndoRecord): void => writeJson(folder, fileName(record.id), record);

function writeJson(folder: string, name: string, value: object): void {
  makeFolder(folder);
  const aside = join(folder, `${name}.${process.pid}.tmp`);
  try {
    writeFileSync(aside, JSON.stringify(value), { mode: 0o600 });
    renameSync(aside, join(folder, name));
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

const readAll = (folder: string): UndoRecord[] =>
  namesIn(folder).flatMap((name) =>
    name.endsWith('.json') ? (readJson<UndoRecord>(join(folder, name)) ?? []) : [],
  );

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T; // in a folder that only we write
  } catch {
    return undefined; // it was removed meanwhile
  }
}
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nothing was recorded yet
  }
}
