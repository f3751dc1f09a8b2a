/** The snapshots of one project: taken before and after calls, kept in a folder of their own. */

import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UndoSettings } from '../events/undo-settings.ts';
import { makeFolder } from '../settings/make-folder.ts';
import { bytePath, shownPath } from './byte-path.ts';
import { type KnownFolders, nothingKnown, readKnown, writeKnown } from './known-file.ts';
import { Objects } from './objects.ts';
import { type Area, MOST_LEFT_OUT, UndoRecords, type UndoRecord } from './records.ts';
import { Scan, type Snapshot } from './scan.ts';
import { type LockWait, withStoreLock } from './store-lock.ts';

/** A look at a large folder pauses this often for other work of the process. */
const SLICE_MS = 5;
/** Another process may be storing a large project for the first time. */
export const LOCK_WAIT_MS = 60_000;
/** So many files were read since the last look was kept that the next process should not read them again. */
const WORTH_KEEPING = 50;

export interface NewCall extends Pick<UndoRecord, 'agent' | 'session' | 'tool' | 'what'> {
  readonly kind?: UndoRecord['kind'];
  readonly call?: string;
  /** The only paths that it can change, as byte paths below the project. Missing: unknown. */
  readonly paths?: readonly string[];
  readonly signal?: AbortSignal;
  /** Absolute byte paths outside the project that it takes away. */
  readonly outside?: readonly string[];
}

export class UndoStore {
  readonly folder: string;
  /** A byte path. */
  readonly root: string;
  readonly objects: Objects;
  readonly records: UndoRecords;
  readonly #settings: UndoSettings;
  #generation: string | undefined;
  #known: KnownFolders = nothingKnown();
  #readSinceKept = 0;
  /** Work of this process waits here, so that only one of its tasks competes for the lock. */
  #queue: Promise<unknown> = Promise.resolve();

  /** `stores` is the folder of all projects. */
  constructor(stores: string, project: string, settings: UndoSettings) {
    const real = existsSync(project) ? realpathSync(project) : project;
    this.root = bytePath(real);
    this.folder = join(stores, createHash('sha256').update(real).digest('hex').slice(0, 32));
    this.objects = new Objects(join(this.folder, 'objects'));
    this.records = new UndoRecords(this.folder);
    this.#settings = settings;
  }

  /** Takes the snapshot before a call. */
  begin(call: NewCall): Promise<UndoRecord> {
    return this.locked(() => this.beginLocked(call), { waitMs: LOCK_WAIT_MS, signal: call.signal });
  }
  /** Takes the snapshot after a call; undefined if no such call is open. */
  end(agent: string, session: string, call: string | undefined): Promise<UndoRecord | undefined> {
    return this.locked(async () => {
      const open = this.#openOf(agent, session);
      const record = open.findLast((one) => call === undefined || one.call === call);
      return record && this.endLocked(record);
    });
  }
  /** No call of the session runs any more. */
  async endTurn(agent: string, session: string): Promise<void> {
    const turn = this.records.turnOf(agent, session);
    if (turn === undefined || turn.isEnded) return;
    await this.locked(async () => {
      await this.#closeAll(agent, session);
      this.records.keepTurn(agent, session, { ...turn, isEnded: true });
    });
  }

  async beginLocked({ kind = 'call', paths, outside = [], signal, ...call }: NewCall): Promise<UndoRecord> {
    const { agent, session } = call;
    const turn = this.#turnFor(agent, session);
    // What a call changed before an undo must not be mixed up with what the undo changes.
    const open = kind === 'undo' ? this.records.open() : this.#openOf(agent, session);
    const waiting = open.filter((one) => one.next === undefined && one.kind === 'call');
    // The snapshot is also the end of calls whose end is never reported.
    const allPaths = [paths, ...waiting.map(({ areas }) => areas[0]!.paths)];
    const isCertain = allPaths.every((some) => some !== undefined);
    const before = await this.#look(isCertain ? (allPaths.flat() as readonly string[]) : undefined, signal);
    const areas: Area[] = [{ root: this.root, before: before.tree, ...(paths && { paths }) }];
    for (const path of outside) areas.push(await this.#lookOutside(path, signal));
    const record: UndoRecord = {
      version: 1,
      id: this.records.newId(),
      kind,
      ...call,
      turn,
      at: new Date().toISOString(),
      areas,
      leftOut: before.leftOut.slice(0, MOST_LEFT_OUT),
      leftOutCount: before.leftOut.length,
    };
    this.records.begin(record);
    for (const one of waiting) this.records.begin({ ...one, next: { tree: before.tree, at: record.at } });
    this.#keepKnown();
    return record;
  }

  async endLocked(record: UndoRecord): Promise<UndoRecord> {
    const [project, ...outside] = record.areas as [Area, ...Area[]];
    const after = await this.#look(project.paths);
    const areas: Area[] = [{ ...project, after: after.tree }];
    for (const area of outside) {
      const { before: now } = await this.#lookOutside(`${area.root}/${area.paths![0]!}`);
      areas.push({ ...area, after: now });
    }
    const closed = { ...record, areas, endedAt: new Date().toISOString() };
    this.records.close(closed);
    this.#keepKnown();
    return closed;
  }

  /** Runs `work` while no other process changes the store. */
  locked<T>(work: () => Promise<T>, wait: LockWait = { waitMs: LOCK_WAIT_MS }): Promise<T> {
    const result = this.#queue.then(() => this.#lockedNow(work, wait));
    this.#queue = result.catch(() => {});
    return result;
  }
  async #lockedNow<T>(work: () => Promise<T>, wait: LockWait): Promise<T> {
    try {
      if (!existsSync(join(this.folder, PROJECT))) this.#make();
      return await withStoreLock(join(this.folder, 'lock'), wait, () => {
        this.#refreshGeneration();
        return work();
      });
    } catch (error) {
      throw namedFailure(error as NodeJS.ErrnoException, this.folder);
    }
  }

  #make(): void {
    makeFolder(this.folder);
    const aside = join(this.folder, `${PROJECT}.${process.pid}.tmp`);
    try {
      writeFileSync(aside, shownPath(this.root), { mode: 0o600 });
      renameSync(aside, join(this.folder, PROJECT));
    } catch (error) {
      rmSync(aside, { force: true });
      throw error;
    }
  }

  /** Called under the lock, before objects are removed. */
  newGeneration(): void {
    writeFileSync(this.#generationFile, randomBytes(8).toString('hex'), { mode: 0o600 });
    this.#refreshGeneration();
  }
  async close(): Promise<void> {
    await this.#queue;
    if (this.#readSinceKept > 0) await this.locked(async () => this.#keepKnown('now'));
  }

  /** A snapshot of now that belongs to no call. */
  lookLocked(): Promise<Snapshot> {
    return this.#look(undefined);
  }
  async #look(paths: readonly string[] | undefined, signal?: AbortSignal): Promise<Snapshot> {
    const scan = new Scan(this.root, this.objects, this.#limits, this.#known.folders, this.#known.bulkyLeft);
    const snapshot = await inSlices(paths === undefined ? scan.all() : scan.only(paths), signal);
    this.#readSinceKept += scan.readCount;
    return snapshot;
  }
  get #limits() {
    return { ...this.#settings, skip: this.#settings.skip.map((path) => bytePath(path.replace(/\/+$/, ''))) };
  }
  async #lookOutside(path: string, signal?: AbortSignal): Promise<Area> {
    const { outsideBytes } = this.#settings;
    const [root, name] = [dirname(path), basename(path)];
    const limits = { ...this.#limits, maxBytes: outsideBytes, bulkyBytes: outsideBytes };
    const { tree } = await inSlices(new Scan(root, this.objects, limits).one(name), signal);
    return { root, before: tree, paths: [name] };
  }

  #turnFor(agent: string, session: string): number {
    const known = this.records.turnOf(agent, session);
    const turn = known === undefined ? 1 : known.turn + (known.isEnded ? 1 : 0);
    if (known?.turn !== turn || known.isEnded)
      this.records.keepTurn(agent, session, { turn, isEnded: false });
    return turn;
  }
  #openOf(agent: string, session: string): readonly UndoRecord[] {
    return this.records
      .open()
      .filter((one) => one.agent === agent && one.session === session)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }
  async #closeAll(agent: string, session: string): Promise<void> {
    for (const record of this.#openOf(agent, session))
      if (record.next === undefined) await this.endLocked({ ...record, isEndAssumed: true });
      else this.closeAtNext(record);
  }
  /** Its end was never reported: it had ended when the next call began. */
  closeAtNext(record: UndoRecord): void {
    const [project, ...outside] = record.areas as [Area, ...Area[]];
    this.records.close({
      ...record,
      isEndAssumed: true,
      areas: [{ ...project, after: record.next!.tree }, ...outside],
      endedAt: record.next!.at,
    });
  }

  get #generationFile(): string {
    return join(this.folder, 'generation');
  }
  get #knownFile(): string {
    return join(this.folder, 'known.json');
  }
  #refreshGeneration(): void {
    const generation = textIn(this.#generationFile) ?? '';
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.objects.forget();
    this.#known = readKnown(this.#knownFile, generation);
    this.#readSinceKept = 0;
  }
  #keepKnown(when: 'now' | 'if-worth-it' = 'if-worth-it'): void {
    if (when === 'if-worth-it' && this.#readSinceKept < WORTH_KEEPING) return;
    writeKnown(this.#knownFile, this.#generation ?? '', this.#known);
    this.#readSinceKept = 0;
  }
}

/** The disk of the store does not take what must be written. */
export class StoreFailure extends Error {}

const REMEDIES: Readonly<Record<string, readonly [what: string, todo: string]>> = {
  ENOSPC: ['no space left on device', 'Free space there'],
  EDQUOT: ['disk quota exceeded', 'Free space there'],
  EROFS: ['read-only file system', 'Make it writable'],
  EACCES: ['permission denied', 'Make it writable for you'],
};

/** Files of the project that cannot be read or written are reported one by one, so these failures are of the store. */
function namedFailure(error: NodeJS.ErrnoException, folder: string): Error {
  const [what, todo] = REMEDIES[error.code ?? ''] ?? [];
  if (what === undefined) return error;
  return new StoreFailure(`${what} (${error.code}) in ${folder}. ${todo}`, { cause: error });
}

/** Names the project, for work on all stores. */
const PROJECT = 'project';

/** The folders of all stores. */
export const storeFoldersIn = (stores: string): readonly string[] =>
  namesIn(stores).map((name) => join(stores, name));
/** The projects with snapshots. */
export const projectsIn = (stores: string): readonly string[] =>
  namesIn(stores).flatMap((name) => textIn(join(stores, name, PROJECT)) ?? []);

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no snapshot was ever taken
  }
}

async function inSlices<T>(steps: Generator<undefined, T>, signal?: AbortSignal): Promise<T> {
  let until = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() < until) continue;
    await nextTurn();
    if (signal?.aborted === true) {
      steps.return(undefined as never); // closes what it has open
      throw new Error('the snapshot was not complete in time');
    }
    until = performance.now() + SLICE_MS;
  }
}

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // it was never written
  }
}
