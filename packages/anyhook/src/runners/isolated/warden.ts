import type { Breakage, Reply } from '../../canon/exchange.ts';
import type { Problem } from '../../canon/problems.ts';
import { clampMs, type Ended, release, wait } from '../deadline.ts';
import { NEVER } from '../../canon/signal.ts';
import { Asks } from './asks.ts';
import { brokenReply as broken } from './broken-reply.ts';
import { Cell, type CellOptions } from './cell.ts';
import type { Offers } from './offers.ts';
import type { Body, PausedLimit, Pending } from './pending.ts';
import { Pulse } from './pulse.ts';
import { BEGIN_MS, GRACE_MS, MARGIN_MS, MOST_DEATHS, STALL_MS, START_MS, USE_GRACE_MS } from './limits.ts';
import { useOf } from './use-of.ts';
import type { FromChild, Program } from './wire.mjs';

export interface WardenOptions extends CellOptions {
  readonly file: string;
  readonly alias: Readonly<Record<string, string>>;
  readonly deadlineMs: number;
  readonly offers: Offers;
  /** Without one, the process runs the hooks that the file defines. */
  readonly program?: Program;
  readonly stallMs?: number | undefined;
}
type Ready = Extract<FromChild, { kind: 'ready' }>;
export type Started =
  | { readonly ok: true; readonly ready: Ready; readonly cell: Cell }
  | { readonly ok: false; readonly breakage: Breakage; readonly problem?: Problem };

/** Keeps one module's process: starts it, hands it calls, ends it at the deadline and starts a fresh one. */
export class Warden {
  #options: WardenOptions;
  readonly #calls = new Map<number, Pending>();
  readonly #owed = new Set<number>();
  readonly #asks: Asks;
  readonly #pulse: Pulse;
  #cell: Cell | undefined;
  #started: Promise<Started> | undefined;
  #tellStarted: (started: Started) => void = () => {};
  #defined: string | undefined;
  #loading: NodeJS.Timeout | undefined;
  #deaths = 0;
  #lastDeath = '';
  #lastId = 0;
  #closed = false;

  constructor(options: WardenOptions) {
    this.#options = options;
    this.#asks = new Asks(() => this.#options.offers);
    this.#pulse = new Pulse({
      stallMs: options.stallMs ?? STALL_MS,
      ping: () => this.#cell?.say({ kind: 'ping' }),
      deaf: (detail) => this.#cell?.kill({ kind: 'timed-out', detail }),
    });
  }

  /** Other services from now on; the process stays as it is. */
  bind(offers: Offers, about: unknown): void {
    const { program } = this.#options;
    this.#options = { ...this.#options, offers, ...(program && { program: { ...program, about } }) };
    this.#cell?.say({ kind: 'offers', offers: offers.names, about });
  }

  start(): Promise<Started> {
    if (this.#started !== undefined) return this.#started;
    if (this.#closed) return Promise.resolve(refused('the module was closed'));
    if (this.#deaths >= MOST_DEATHS)
      return Promise.resolve(
        refused(
          `its process ended ${MOST_DEATHS} times in a row and is not started again; the last time: ${this.#lastDeath}`,
        ),
      );
    this.#started = new Promise((resolve) => (this.#tellStarted = resolve));
    this.#begin();
    return this.#started;
  }

  run(index: number, body: Body, limit: PausedLimit): Promise<Reply> {
    if (limit.signal.aborted) return Promise.resolve(broken({ kind: 'aborted' }));
    return new Promise((settle) => {
      const id = ++this.#lastId;
      // No deadline yet: it starts when the hook does. The signal counts from now on.
      const clock = wait({ timeoutMs: Infinity, signal: limit.signal }, (why) => this.#expire(id, why));
      this.#calls.set(id, { id, index, body, limit, settle, clock, tries: 0, state: 'waiting' });
      void this.#deliver(id);
    });
  }

  /** For what the process hands out beside hooks; no deadline. Rejects with how the process ended, if it did. */
  async use<T>(work: (main: unknown) => PromiseLike<T>, signal: AbortSignal = NEVER): Promise<T> {
    const started = await this.start();
    if (!started.ok) throw new Error(started.breakage.detail ?? started.breakage.kind);
    signal.throwIfAborted();
    this.#pulse.begin();
    started.cell.wake();
    started.cell.say({ kind: 'glance', glance: this.#options.offers.glance() });
    try {
      const value = await useOf(started.cell, work, { signal, graceMs: USE_GRACE_MS });
      this.#deaths = 0;
      return value;
    } finally {
      this.#pulse.end();
      this.#rest();
    }
  }

  /** Time stands still for every hook in the process while a person is asked; until what it returns is called. */
  pause(): () => void {
    const begun = [...this.#calls.values()].filter(({ state }) => state === 'begun');
    const goOn = begun.map((call) => {
      const left = call.clock.endsAt - performance.now();
      this.#setClock(call, Infinity);
      const told = call.limit.pause?.();
      return () => {
        told?.();
        if (this.#calls.get(call.id) === call && call.state === 'begun') this.#setClock(call, left);
      };
    });
    return () => goOn.forEach((one) => one());
  }

  close(): void {
    this.#closed = true;
    this.#cell?.kill({ kind: 'aborted', detail: 'the module was closed' });
  }

  #begin(): void {
    const { file, alias, deadlineMs, offers, program } = this.#options;
    const cell = new Cell(this.#options, {
      hear: (message) => this.#hear(message),
      gone: (why) => this.#gone(why),
    });
    this.#cell = cell;
    this.#loadWithin(START_MS, `its process did not start within ${START_MS} ms`);
    void this.#started?.then(() => {
      clearTimeout(this.#loading);
      this.#rest();
    });
    cell.wake();
    cell.say({ kind: 'load', file, alias, deadlineMs, offers: offers.names, ...(program && { program }) });
  }

  #loadWithin(ms: number, otherwise: string): void {
    clearTimeout(this.#loading);
    const detail = `${this.#options.file}: ${otherwise}`;
    this.#loading = setTimeout(() => this.#cell?.kill({ kind: 'not-loaded', detail }), clampMs(ms));
  }

  async #deliver(id: number): Promise<void> {
    const started = await this.start();
    const call = this.#calls.get(id);
    if (call === undefined) return;
    if (!started.ok) return this.#finish(call, broken(started.breakage));
    if (started.cell !== this.#cell) return await this.#deliver(id); // it ended in between
    call.state = 'sent';
    call.tries++;
    started.cell.wake();
    const glance = JSON.stringify(this.#options.offers.glance());
    started.cell.send(`{"kind":"run","id":${id},"index":${call.index},${call.body},"glance":${glance}}`);
    this.#startClocks();
  }

  /** While another hook has the process, a call only waits; when none has, it should have begun. */
  #startClocks(): void {
    const calls = [...this.#calls.values()];
    if (calls.some(({ state, limit }) => state === 'begun' && limit.timeoutMs !== Infinity)) return;
    for (const call of calls)
      if (call.state === 'sent') this.#setClock(call, call.limit.timeoutMs + BEGIN_MS);
  }

  #setClock(call: Pending, timeoutMs: number): void {
    release(call.clock);
    call.clock = wait({ timeoutMs, signal: call.limit.signal }, (why) => this.#expire(call.id, why));
  }

  #expire(id: number, why: Ended): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#finish(call, broken({ kind: why }, this.#cell));
    if (why === 'timed-out')
      this.#cell?.kill({
        kind: 'killed',
        detail: 'its process was ended because another hook in it ran out of time',
      });
    else if (call.state !== 'waiting') this.#callOff(id);
  }

  #callOff(id: number): void {
    const cell = this.#cell;
    this.#owed.add(id);
    cell?.say({ kind: 'cancel', id });
    const end = () => {
      if (this.#owed.has(id))
        cell?.kill({ kind: 'killed', detail: 'its process was ended because a hook in it was called off' });
    };
    setTimeout(end, GRACE_MS).unref();
  }

  /** Throws for what is no message; the cell ends a process that talks nonsense. */
  #hear(message: FromChild): void {
    switch (message.kind) {
      case 'loading': {
        const { deadlineMs } = this.#options;
        return this.#loadWithin(
          deadlineMs + MARGIN_MS,
          `the module did not finish loading within ${deadlineMs} ms`,
        );
      }
      case 'ready':
        return this.#ready(message);
      case 'not-loaded':
        this.#tellStarted({ ok: false, breakage: message.breakage, problem: message.problem });
        return this.#cell?.kill(message.breakage);
      case 'pong':
        return this.#pulse.answered();
      case 'begun':
        return this.#begun(message.id);
      case 'answer':
        return this.#answered(message.id, message.reply);
      case 'ask':
        return void this.#asks.take(message, this.#cell);
      case 'drop':
        return this.#asks.drop(message.id);
      case 'tell':
        return this.#options.offers.tell(message.service, [...message.args]);
      default:
        throw new TypeError(
          `no message is of the kind ${JSON.stringify((message as { kind: unknown }).kind)}`,
        );
    }
  }

  /** A fresh process must hold the hooks that were there at first: the set is fixed for the session. */
  #ready(ready: Ready): void {
    const defined = JSON.stringify([ready.defined, ready.told]);
    this.#defined ??= defined;
    const cell = this.#cell;
    if (cell !== undefined && defined === this.#defined) return this.#tellStarted({ ok: true, ready, cell });
    cell?.kill({
      kind: 'not-loaded',
      detail: `${this.#options.file}: the module defines other hooks than at first; reload it`,
    });
  }

  #begun(id: number): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    call.state = 'begun';
    this.#setClock(call, call.limit.timeoutMs);
    if (call.limit.timeoutMs === Infinity) return;
    for (const other of this.#calls.values()) if (other.state === 'sent') this.#setClock(other, Infinity);
  }

  #answered(id: number, reply: Reply): void {
    if (reply.kind !== 'returned' && reply.kind !== 'threw' && reply.kind !== 'broken')
      throw new TypeError('an answer without a reply');
    this.#owed.delete(id);
    const call = this.#calls.get(id);
    if (call === undefined) return; // too late
    this.#deaths = 0;
    this.#finish(call, reply);
  }

  #gone(why: Breakage): void {
    const cell = this.#cell;
    this.#deaths++;
    this.#lastDeath = why.detail ?? why.kind;
    this.#cell = this.#started = undefined;
    this.#tellStarted({ ok: false, breakage: why });
    this.#asks.dropAll();
    this.#owed.clear();
    for (const call of Array.from(this.#calls.values())) {
      if (call.state === 'waiting') continue; // hears of it from its own delivery
      const again = call.state === 'sent' && call.tries < 2 && !this.#closed;
      if (again) this.#postpone(call);
      else this.#finish(call, broken(why, cell));
    }
  }

  /** It waits for the fresh process, and its deadline with it. */
  #postpone(call: Pending): void {
    call.state = 'waiting';
    this.#setClock(call, Infinity);
    void this.#deliver(call.id);
  }

  #finish(call: Pending, reply: Reply): void {
    release(call.clock);
    this.#calls.delete(call.id);
    call.settle(reply);
    if (this.#calls.size > 0) this.#startClocks();
    this.#rest();
  }

  #rest(): void {
    if (this.#calls.size + this.#pulse.uses === 0) this.#cell?.rest();
  }
}

const refused = (detail: string): Started => ({ ok: false, breakage: { kind: 'not-started', detail } });
