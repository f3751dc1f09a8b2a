import type { HookFailure, Reply } from '../../events/exchange.ts';
import type { Problem } from '../../events/problems.ts';
import { NEVER } from '../../events/signal.ts';
import { clampMs, type EndedBy, release, wait } from '../deadline.ts';
import { describeThrown } from '../module/thrown.mjs';
import { brokenReply as broken } from './broken-reply.ts';
import { cancellable } from './cancellable.ts';
import type { Loaded, Program } from './child.mjs';
import { Heartbeat } from './heartbeat.ts';
import { type HookCall, isReply, type PausedLimit } from './hook-call.ts';
import type { HostServices } from './host-services.ts';
import { ModuleProcess, type ProcessOptions } from './module-process.ts';
import { PackWriter } from './pack.mjs';
import { type Method, methodIn } from './rpc.mjs';
import { endOfProcess, type StrayError, strayErrorFrom } from './stray-error.ts';

export interface SupervisorOptions extends ProcessOptions {
  readonly file: string;
  readonly alias: Readonly<Record<string, string>>;
  readonly deadlineMs: number;
  readonly kept?: string;
  readonly services: HostServices;
  /** Without it, the process runs the hooks that the file defines. */
  readonly program?: Program;
  readonly stallMs?: number | undefined;
  readonly onStray: (stray: StrayError) => void;
}
export type Ready = Extract<Loaded, { kind: 'ready' }>;
type Started =
  | { readonly ok: true; readonly ready: Ready; readonly process: ModuleProcess }
  | { readonly ok: false; readonly breakage: HookFailure; readonly problem?: Problem };
/** Calls methods of the other end. */
export type CallFar = (name: string, ...args: readonly unknown[]) => Promise<unknown>;

/**
 * Manages the process of one module: starts it, sends it calls, kills it at the deadline and starts a new
 * one.
 */
export class Supervisor {
  #options: SupervisorOptions;
  readonly #calls = new Set<HookCall>();
  /** Aborted calls without an answer yet. */
  readonly #owed = new Set<HookCall>();
  readonly #heartbeat: Heartbeat;
  #process: ModuleProcess | undefined;
  #started: Promise<Started> | undefined;
  #tellStarted: (started: Started) => void = () => {};
  #defined: string | undefined;
  #loading: NodeJS.Timeout | undefined;
  /** The process has reported that it loads the module, so it is really our program. */
  #hasBegun = false;
  #deaths = 0;
  #lastDeath = '';
  #closed = false;
  readonly #methods: Readonly<Record<string, Method>> = {
    loading: () => this.#hasBegunLoading(),
    begun: (id: unknown) => this.#begun(id),
    stray: (report: unknown) => this.#options.onStray(strayErrorFrom(report)),
  };

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#heartbeat = new Heartbeat({
      stallMs: options.stallMs ?? STALL_MS,
      ping: async () => await this.#process?.rpc.call('ping', []),
      deaf: (detail) => this.#process?.kill({ kind: 'timed-out', detail }),
    });
  }

  /** Replaces the services; the process stays. */
  bind(services: HostServices, about: unknown): void {
    const { program } = this.#options;
    this.#options = { ...this.#options, services, ...(program && { program: { ...program, about } }) };
    this.#process?.rpc.notify('bind', [services.names, about]);
  }

  start(): Promise<Started> {
    if (this.#started !== undefined) return this.#started;
    if (this.#closed) return Promise.resolve(refused('the module was closed'));
    if (this.#deaths >= MOST_DEATHS)
      return Promise.resolve(
        refused(
          `its process ended ${MOST_DEATHS} times in a row and is not restarted; last reason: ${this.#lastDeath}`,
        ),
      );
    this.#started = new Promise((resolve) => (this.#tellStarted = resolve));
    this.#begin();
    return this.#started;
  }

  run(index: number, args: PackWriter, limit: PausedLimit): Promise<Reply> {
    if (limit.signal.aborted) return Promise.resolve(broken({ kind: 'aborted' }));
    return new Promise((settle) => {
      // No deadline yet: it starts with the hook. The signal counts from now on.
      const clock = wait({ timeoutMs: Infinity, signal: limit.signal }, (why) => this.#expire(call, why));
      const call: HookCall = { index, args, limit, settle, clock, tries: 0, state: 'waiting' };
      this.#calls.add(call);
      void this.#deliver(call);
    });
  }

  /**
   * Runs work other than hooks, without a deadline. It can be aborted, and a process that does not react is
   * killed. Rejects with the reason if the process ended.
   */
  async use<T>(work: (far: CallFar) => PromiseLike<T>, signal: AbortSignal = NEVER): Promise<T> {
    const started = await this.start();
    if (!started.ok) throw new Error(started.breakage.detail ?? started.breakage.kind);
    signal.throwIfAborted();
    const { process } = started;
    this.#heartbeat.begin();
    process.wake();
    process.rpc.notify('look', [new PackWriter(this.#options.services.snapshot())]);
    const far: CallFar = (name, ...args) => process.rpc.call(name, args);
    try {
      const value = await cancellable(process, () => work(far), { signal, graceMs: USE_GRACE_MS });
      this.#deaths = 0;
      return value;
    } finally {
      this.#heartbeat.end();
      this.#rest();
    }
  }

  /** Pauses the clock of every running hook while the user is asked. Returns a function that continues it. */
  pause(): () => void {
    const begun = [...this.#calls].filter(({ state }) => state === 'begun');
    const goOn = begun.map((call) => {
      const left = call.clock.endsAt - performance.now();
      this.#setClock(call, Infinity);
      const resume = call.limit.pause?.();
      return () => {
        resume?.();
        if (this.#calls.has(call) && call.state === 'begun') this.#setClock(call, left);
      };
    });
    return () => goOn.forEach((one) => one());
  }

  close(): void {
    this.#closed = true;
    this.#process?.kill({ kind: 'aborted', detail: 'the module was closed' });
  }

  #begin(): void {
    const { file, alias, deadlineMs, services, kept, program = null } = this.#options;
    const started = new ModuleProcess(this.#options, {
      methodOf: (name) => methodIn(this.#methods, name) ?? methodIn(this.#options.services.methods, name),
      gone: (why) => this.#gone(why),
    });
    this.#process = started;
    this.#hasBegun = false;
    this.#loadWithin(START_MS, `its process did not start within ${START_MS} ms`);
    void this.#started?.then(() => {
      clearTimeout(this.#loading);
      this.#rest();
    });
    started.wake();
    const load = { file, alias, deadlineMs, services: services.names, program, ...(kept && { kept }) };
    started.rpc.call('load', [load]).then(
      (loaded) => this.#loaded(loaded as Loaded, started), // sent by our own program
      () => {}, // the end of the process is reported elsewhere
    );
  }

  #hasBegunLoading(): void {
    this.#hasBegun = true;
    const { deadlineMs } = this.#options;
    this.#loadWithin(deadlineMs + MARGIN_MS, `the module did not finish loading within ${deadlineMs} ms`);
  }

  #loadWithin(ms: number, otherwise: string): void {
    clearTimeout(this.#loading);
    const detail = `${this.#options.file}: ${otherwise}`;
    this.#loading = setTimeout(() => this.#process?.kill({ kind: 'not-loaded', detail }), clampMs(ms));
  }

  /** A restarted process must define the same hooks as at first, because the set is fixed for the session. */
  #loaded(loaded: Loaded, process: ModuleProcess): void {
    if (loaded.kind === 'not-loaded') {
      this.#tellStarted({ ok: false, breakage: loaded.breakage, problem: loaded.problem });
      return process.kill(loaded.breakage);
    }
    const defined = JSON.stringify([loaded.defined, loaded.description]);
    this.#defined ??= defined;
    if (defined === this.#defined) return this.#tellStarted({ ok: true, ready: loaded, process });
    process.kill({
      kind: 'not-loaded',
      detail: `${this.#options.file}: the module defines other hooks than before; reload it`,
    });
  }

  async #deliver(call: HookCall): Promise<void> {
    const started = await this.start();
    if (!this.#calls.has(call)) return;
    if (!started.ok) return this.#finish(call, broken(started.breakage));
    const { process } = started;
    if (process !== this.#process) return await this.#deliver(call); // it ended in between
    call.state = 'sent';
    call.tries++;
    process.wake();
    const snapshot = new PackWriter(this.#options.services.snapshot());
    const noted = (id: number) => void (call.id = id);
    process.rpc.call('run', [call.index, call.args, snapshot], noted).then(
      (reply) => this.#answered(call, reply as Reply),
      (error: unknown) => {
        const detail = describeThrown(error).message;
        if (process === this.#process) this.#answered(call, broken({ kind: 'unreadable', detail }));
      },
    );
    this.#startClocks();
  }

  /** While another hook with a deadline runs, a call only waits. Otherwise it should start soon. */
  #startClocks(): void {
    const calls = [...this.#calls];
    if (calls.some(({ state, limit }) => state === 'begun' && limit.timeoutMs !== Infinity)) return;
    for (const call of calls)
      if (call.state === 'sent') this.#setClock(call, call.limit.timeoutMs + BEGIN_MS);
  }

  #setClock(call: HookCall, timeoutMs: number): void {
    release(call.clock);
    call.clock = wait({ timeoutMs, signal: call.limit.signal }, (why) => this.#expire(call, why));
  }

  #expire(call: HookCall, why: EndedBy): void {
    if (!this.#calls.has(call)) return;
    this.#finish(call, broken({ kind: why }, this.#process));
    if (why === 'timed-out')
      this.#process?.kill({
        kind: 'killed',
        detail: 'its process was killed because another hook in it timed out',
      });
    else if (call.state !== 'waiting') this.#callOff(call);
  }

  #callOff(call: HookCall): void {
    const process = this.#process;
    this.#owed.add(call);
    if (call.id !== undefined) process?.rpc.cancel(call.id);
    const end = () => {
      if (this.#owed.has(call))
        process?.kill({
          kind: 'killed',
          detail: 'its process was killed because a hook in it was cancelled',
        });
    };
    setTimeout(end, GRACE_MS).unref();
  }

  #begun(id: unknown): void {
    const call = [...this.#calls].find((one) => one.id === id && one.state === 'sent');
    if (call === undefined) return;
    call.state = 'begun';
    this.#setClock(call, call.limit.timeoutMs);
    if (call.limit.timeoutMs === Infinity) return;
    for (const other of this.#calls) if (other.state === 'sent') this.#setClock(other, Infinity);
  }

  #answered(call: HookCall, reply: Reply): void {
    this.#owed.delete(call);
    if (!this.#calls.has(call)) return; // too late
    this.#deaths = 0;
    this.#finish(
      call,
      isReply(reply) ? reply : broken({ kind: 'unreadable', detail: 'an answer without a reply' }),
    );
  }

  #gone(reported: HookFailure): void {
    // A process that never reached the module is our failure, not the module's, so its guards refuse.
    const why: HookFailure = this.#hasBegun
      ? reported
      : { kind: 'not-started', ...(reported.detail !== undefined && { detail: reported.detail }) };
    const process = this.#process;
    const isIdle = this.#calls.size + this.#heartbeat.uses === 0;
    this.#deaths++;
    this.#lastDeath = why.detail ?? why.kind;
    this.#process = this.#started = undefined;
    this.#tellStarted({ ok: false, breakage: why });
    this.#owed.clear();
    if (isIdle && !this.#closed && this.#defined !== undefined) this.#options.onStray(endOfProcess(why));
    for (const call of Array.from(this.#calls)) {
      if (call.state === 'waiting') continue; // its own delivery reports it
      if (call.state !== 'sent' || call.tries >= 2 || this.#closed) {
        this.#finish(call, broken(why, process));
        continue;
      }
      call.state = 'waiting'; // retried in the new process, with a new deadline
      this.#setClock(call, Infinity);
      void this.#deliver(call);
    }
  }

  #finish(call: HookCall, reply: Reply): void {
    release(call.clock);
    this.#calls.delete(call);
    call.settle(reply);
    if (this.#calls.size > 0) this.#startClocks();
    this.#rest();
  }

  #rest(): void {
    if (this.#calls.size + this.#heartbeat.uses === 0) this.#process?.rest();
  }
}

const refused = (detail: string): Started => ({ ok: false, breakage: { kind: 'not-started', detail } });

/** A process that ends this often in a row without an answer is not started again. */
const MOST_DEATHS = 5;
/** Time for the process itself to start, before the module's own deadline. */
const START_MS = 10_000;
/** The process enforces the module's deadline itself; after this margin, the host kills it. */
const MARGIN_MS = 2_000;
/** Time for a call to reach its hook, in addition to the hook's own time. */
const BEGIN_MS = 1_000;
/** How long a hook may take to react to an abort. */
const GRACE_MS = 250;
/** The same for a tool or command, which may need to clean up. */
const USE_GRACE_MS = 2_000;
/**
 * A tool or command has no deadline and may wait for the user, but its process must respond within this time.
 */
const STALL_MS = 30_000;
