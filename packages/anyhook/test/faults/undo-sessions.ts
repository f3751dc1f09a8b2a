/**
 * Random sessions of an agent and a user in one project. What counts is simple: after the undo of the session, every file is what the
 * user last made of it, or what it was at the beginning.
 */

import { type ChildProcess, fork } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'esbuild';
import { treeOf } from '../../src/undo/fixtures/project.ts';
import type { WorkerCommand } from './fixtures/undo-worker.ts';
import { dice, type Dice } from './random.ts';

export interface SessionFigures {
  sessions: number;
  /** Files that the undo had to bring back or to remove. */
  changed: number;
  inexact: number;
  userChangesLost: number;
  kills: number;
  objectsLeft: number;
}
export const noFigures = (): SessionFigures => ({
  sessions: 0,
  changed: 0,
  inexact: 0,
  userChangesLost: 0,
  kills: 0,
  objectsLeft: 0,
});

/** How the undo is broken on purpose, for controls. */
export type Careless = 'overwrites-user' | 'keeps-objects' | 'ignores-modes';

const PATHS = [
  'a',
  'B.txt',
  'd/one',
  'd/two',
  'd/e/deep',
  'f/x',
  'f/y',
  'caf\u00c3\u00a9',
  'raw\u00ff',
  'd/crlf.txt',
];
const FOLDERS = ['d', 'd/e', 'f'];
/** A byte path as the file functions take it. */
const onDisk = (root: string, path: string): Buffer => Buffer.from(`${root}/${path}`, 'latin1');

export class UndoSessions {
  readonly figures = noFigures();
  readonly failures: string[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'anyhook-undo-sessions-'));
  readonly #program = join(this.#folder, 'worker.mjs');
  readonly #careless: Careless | undefined;
  #ready: Promise<unknown> | undefined;

  constructor(careless?: Careless) {
    this.#careless = careless;
  }

  async run(seed: number): Promise<void> {
    await (this.#ready ??= build({
      entryPoints: [join(import.meta.dirname, 'fixtures/undo-worker.ts')],
      outfile: this.#program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
      external: ['unbash'],
    }));
    const session = new Session(join(this.#folder, String(seed)), this.#program, dice(seed), this.#careless);
    try {
      await session.play();
    } finally {
      session.close();
    }
    const { figures } = this;
    figures.sessions += 1;
    for (const key of ['changed', 'inexact', 'userChangesLost', 'kills', 'objectsLeft'] as const)
      figures[key] += session.figures[key];
    this.failures.push(...session.failures.map((text) => `seed ${seed}: ${text}`));
  }
  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

interface Skipped {
  readonly path: string;
  readonly why?: string;
}

class Session {
  readonly figures = noFigures();
  readonly failures: string[] = [];
  readonly #root: string;
  readonly #stores: string;
  readonly #program: string;
  readonly #dice: Dice;
  readonly #careless: Careless | undefined;
  #worker: ChildProcess | undefined;
  /** What every path should be in the end; undefined: nothing. */
  readonly #wanted = new Map<string, string | undefined>();
  /** Paths that the user touched after the agent. */
  readonly #usersLast = new Set<string>();
  readonly #usersEver = new Set<string>();
  /** Files as the last snapshot that looked at them has found them. */
  #seen: Record<string, string> = {};
  /** The user changed these and then made them what they were in the last snapshot. Nobody can see that. */
  readonly #invisible = new Set<string>();
  #calls = 0;
  #versions = 0;

  constructor(folder: string, program: string, random: Dice, careless: Careless | undefined) {
    [this.#root, this.#stores] = [join(folder, 'project'), join(folder, 'stores')];
    mkdirSync(this.#root, { recursive: true });
    this.#program = program;
    this.#dice = random;
    this.#careless = careless;
  }

  async play(): Promise<void> {
    for (const path of PATHS) if (this.#dice.below(4) > 0) this.#change(path);
    this.#settle('initial');
    const steps = 4 + this.#dice.below(8);
    for (let step = 0; step < steps; step++) {
      if (this.#dice.below(3) === 0) this.#userEdits();
      else await this.#agentCalls();
      if (this.#dice.below(6) === 0) await this.#say({ kind: 'end-turn' });
    }
    this.#userEditsMaybe();
    await this.#undo();
    await this.#prune();
  }
  close(): void {
    this.#worker?.kill('SIGKILL');
  }

  async #agentCalls(): Promise<void> {
    const call = String(++this.#calls);
    const isEdit = this.#dice.below(3) === 0;
    const path = this.#dice.pick(PATHS);
    await this.#say({
      kind: 'begin',
      call: {
        agent: 'codex',
        session: 's1',
        tool: isEdit ? 'edit' : 'shell',
        what: call,
        call,
        ...(isEdit && { paths: [path] }),
      },
    });
    this.#see(isEdit ? path : undefined);
    const before = this.#files();
    if (isEdit) {
      this.#change(path);
      for (const touched of this.#differing(before)) this.#usersLast.delete(touched);
      // The user may edit other files at the same time.
      if (this.#dice.below(3) === 0) this.#userEdits(path);
    } else {
      for (let act = this.#dice.below(4); act >= 0; act--) this.#agentActs();
      for (const touched of this.#differing(before)) this.#usersLast.delete(touched);
    }
    // The agent may be killed before it reports the end of its call.
    if (this.#dice.below(10) > 0 && (await this.#say({ kind: 'end', call })) !== 'killed')
      this.#see(isEdit ? path : undefined);
  }

  #see(path: string | undefined): void {
    const now = this.#files();
    if (path === undefined) this.#seen = now;
    else if (now[path] === undefined) delete this.#seen[path];
    else this.#seen[path] = now[path];
  }

  #agentActs(): void {
    const { below, pick } = this.#dice;
    const act = below(6);
    try {
      if (act === 0) rmSync(join(this.#root, pick(FOLDERS)), { recursive: true, force: true });
      else if (act === 1) rmSync(onDisk(this.#root, pick(PATHS)), { force: true });
      else if (act === 2) this.#rename(pick(PATHS), pick(PATHS));
      else if (act === 3) chmodSync(onDisk(this.#root, pick(PATHS)), pick([0o600, 0o755, 0o644]));
      else this.#change(pick(PATHS));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error; // as a command that fails
    }
  }
  #rename(from: string, to: string): void {
    mkdirSync(dirname(join(this.#root, to)), { recursive: true });
    renameSync(onDisk(this.#root, from), onDisk(this.#root, to));
  }

  /** `except`: what the agent changes at this moment. */
  #userEdits(except?: string): void {
    const path = this.#dice.pick(PATHS.filter((one) => one !== except));
    const before = this.#files();
    if (this.#dice.below(5) === 0) rmSync(onDisk(this.#root, path), { force: true });
    else this.#change(path);
    for (const touched of this.#differing(before)) {
      this.#wanted.set(touched, this.#files()[touched]);
      this.#usersLast.add(touched);
      this.#usersEver.add(touched);
      const isInvisible = this.#seen[touched] === this.#files()[touched];
      this.#invisible[isInvisible ? 'add' : 'delete'](touched);
    }
  }
  #userEditsMaybe(): void {
    if (this.#dice.below(2) === 0) this.#userEdits();
  }

  #change(path: string): void {
    const { below, pick } = this.#dice;
    const file = onDisk(this.#root, path);
    mkdirSync(dirname(join(this.#root, path)), { recursive: true });
    rmSync(file, { force: true });
    const version = ++this.#versions;
    const kind = below(8);
    if (kind === 0) symlinkSync(pick(PATHS), file);
    else if (kind === 1) writeFileSync(file, Buffer.from([0, 255, 13, 10, version]));
    else writeFileSync(file, `${version}\r\n`.repeat(1 + below(4)), { mode: pick([0o644, 0o600, 0o755]) });
  }

  #files(): Record<string, string> {
    const found: Record<string, string> = {};
    for (const path of PATHS) {
      const file = onDisk(this.#root, path);
      const status = statusOf(file);
      if (status === undefined) continue;
      const mode = (status.mode & 0o7777).toString(8);
      found[path] = status.isSymbolicLink()
        ? `link ${readlinkSync(file, { encoding: 'latin1' })}`
        : `${mode} ${readFileSync(file, 'latin1')}`;
    }
    return found;
  }
  #differing(before: Record<string, string>): string[] {
    const now = this.#files();
    return PATHS.filter((path) => before[path] !== now[path]);
  }
  #settle(_why: 'initial'): void {
    const now = this.#files();
    for (const path of PATHS) this.#wanted.set(path, now[path]);
  }

  async #undo(): Promise<void> {
    const before = this.#files();
    const careless = this.#careless === 'overwrites-user';
    // A killed undo is run again.
    const first = (await this.#say(
      { kind: 'undo', onConflict: careless ? 'restore' : 'skip' },
      'must-finish',
    )) as {
      skipped: readonly Skipped[];
      failures: readonly object[];
    };
    if (this.#careless === 'ignores-modes') for (const path of PATHS) this.#ignoreMode(path);
    if (first.failures.length > 0) this.failures.push(JSON.stringify(first.failures));
    this.#count(before, 'user', []);
    // Calls without an end are the user's to decide. Here, what the user never touched is put back as well.
    const undecided = first.skipped.filter(({ why }) => why === 'end-not-reported').map(({ path }) => path);
    const only = undecided.filter((path) => PATHS.includes(path) && !this.#usersEver.has(path));
    if (only.length > 0) await this.#say({ kind: 'undo', onConflict: 'restore', only }, 'must-finish');
    if (this.#careless === 'ignores-modes') for (const path of PATHS) this.#ignoreMode(path);
    this.#count(
      before,
      'agent',
      undecided.filter((path) => this.#usersEver.has(path)),
    );
    const unfinished = Object.keys(treeOf(this.#root)).filter((path) => path.includes('.anyhook-undo-'));
    if (unfinished.length > 0) this.failures.push(`unfinished: ${unfinished.join(', ')}`);
  }
  #ignoreMode(path: string): void {
    const status = statusOf(onDisk(this.#root, path));
    if (status?.isFile() === true) chmodSync(onDisk(this.#root, path), 0o644);
  }

  #count(before: Record<string, string>, whose: 'user' | 'agent', undecided: readonly string[]): void {
    const after = this.#files();
    for (const path of PATHS) {
      const isUsers = this.#usersLast.has(path);
      const wanted = this.#wanted.get(path);
      if (whose === 'agent' && before[path] !== wanted) this.figures.changed += 1;
      if (
        this.#invisible.has(path) ||
        isUsers !== (whose === 'user') ||
        after[path] === wanted ||
        undecided.includes(path)
      )
        continue;
      if (isUsers) this.figures.userChangesLost += 1;
      else this.figures.inexact += 1;
      this.failures.push(`${path}: ${JSON.stringify({ wanted, before: before[path], after: after[path] })}`);
    }
  }

  async #prune(): Promise<void> {
    if (this.#careless !== 'keeps-objects') await this.#say({ kind: 'prune' }, 'must-finish');
    const left = Object.keys(treeOf(this.#stores)).filter((path) =>
      /\/(?:objects|calls|open)\/.*\w{10}/.test(path),
    );
    this.figures.objectsLeft += left.length;
    if (left.length > 0) this.failures.push(`left: ${left.join(', ')}`);
  }

  /** One of ten commands is interrupted by `kill -9`, and then a new process gets it again. */
  async #say(command: WorkerCommand, way: 'may-be-lost' | 'must-finish' = 'may-be-lost'): Promise<unknown> {
    for (let attempt = 0; ; attempt++) {
      const worker = (this.#worker ??= fork(this.#program, [this.#stores, this.#root], { execArgv: [] }));
      const isKilled = attempt === 0 && this.#dice.below(10) === 0;
      const answer = new Promise<{ value?: unknown; error?: string } | 'killed'>((resolve) => {
        worker.once('message', (message) => resolve(message as { value?: unknown }));
        worker.once('exit', () => resolve('killed'));
      });
      worker.send(command);
      if (isKilled) {
        await Promise.race([answer, pause(this.#dice.below(command.kind === 'undo' ? 25 : 12))]);
        worker.kill('SIGKILL');
        await new Promise((resolve) =>
          worker.exitCode === null && worker.signalCode === null
            ? worker.once('exit', resolve)
            : resolve(undefined),
        );
        this.#worker = undefined;
        this.figures.kills += 1;
        if (command.kind === 'end' || (command.kind === 'end-turn' && way === 'may-be-lost')) return 'killed';
        continue; // a call runs only after its snapshot
      }
      const result = await answer;
      worker.removeAllListeners();
      if (result === 'killed') throw new Error('the worker ended by itself');
      if (result.error !== undefined) throw new Error(result.error);
      return result.value;
    }
  }
}

function statusOf(file: Buffer) {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // a folder above it is a file
  }
}
