/** Opens the hooks of a program, and reopens them on a reload, when the program adds hooks, and for slow modules. */

import type { Hook } from '../events/hook.ts';
import type { Problem } from '../events/problems.ts';
import { checkCan } from '../gather/check-options.ts';
import { locationsOf } from '../gather/folders.ts';
import { NOTHING_ASKED } from '../gather/gate.ts';
import { type OneLook, oneLook } from '../gather/one-look.ts';
import { settingsOf } from '../gather/settings-of.ts';
import { LOAD_DEADLINE_MS, MORE_TIME } from '../runners/module/load-module.mjs';
import { changes } from '../settings/polled.ts';
import { stampOf } from '../settings/reload.ts';
import type { Hooks } from './hooks.ts';
import type { Means } from './means.ts';
import { Reading, type State } from './reading.ts';
import { neverCalled } from './what-is-off.ts';

/** A slow module gets this many times the normal load time in the background. */
const PATIENCE = 12;

/** Some loaders put the advice into the message, others into the remedy. */
const wasTooSlow = ({ message, remedy }: Problem): boolean =>
  `${message} ${remedy ?? ''}`.includes(MORE_TIME.replace(/\.$/, ''));

export class Opening {
  readonly #means: Means;
  readonly #optionProblems: readonly Problem[];
  readonly #isReloadWanted: () => boolean;
  readonly #closing = new AbortController();
  #reading: Reading;
  #state: State;
  #onChange: (change: { readonly before?: Reading }) => void = () => {};

  static async open(means: Means, look: OneLook): Promise<Opening> {
    return new Opening(means, await Reading.open(means, look));
  }
  private constructor(means: Means, reading: Reading) {
    this.#means = means;
    this.#optionProblems = checkCan(means.options.host.can);
    this.#isReloadWanted = changes(() => stampOf(means.folders.reload), means.lookEveryMs);
    this.#reading = reading;
    this.#state = reading.currentState();
  }

  get reading(): Reading {
    return this.#reading;
  }
  get state(): State {
    return this.#state;
  }
  get isReloadWanted(): boolean {
    return !this.isClosed && this.#isReloadWanted();
  }
  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }
  get gate() {
    return this.#reading.gathered.gate ?? NOTHING_ASKED;
  }
  get found(): Pick<Hooks, 'hooks' | 'disabled' | 'problems' | 'policy' | 'offers' | 'examined'> {
    const { disabled, policy, offers } = this.#reading.gathered;
    const { hooks } = this.#state;
    const problems = [
      ...this.#optionProblems,
      ...this.#reading.problems,
      ...neverCalled({ hooks }, this.#means.options.host),
    ];
    return { hooks, disabled, problems, policy, offers, examined: this.gate.examined };
  }

  /** Registers a callback for added, removed or reloaded hooks. `before` is the replaced reading. */
  watch(onChange: (change: { readonly before?: Reading }) => void): void {
    this.#onChange = onChange;
  }
  add(hook: Hook): () => void {
    this.#means.added.add(hook);
    this.#settle();
    return () => {
      if (this.#means.added.delete(hook)) this.#settle();
    };
  }
  async reload(): Promise<void> {
    await this.#replace(await Reading.open(this.#means, this.#look()));
    this.loadSlowModules();
  }
  /** Retries modules that did not load in time, with a longer limit, while events continue. */
  loadSlowModules(): void {
    if (!this.#reading.problems.some(wasTooSlow)) return;
    this.#loadPatiently().catch((error: unknown) => this.#means.services.log('error', String(error)));
  }
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#reading.close();
  }

  async #loadPatiently(): Promise<void> {
    const { options } = this.#means;
    const slow = this.#reading;
    const { loadMs = LOAD_DEADLINE_MS } = settingsOf(slow.gathered.settings, options);
    const modules = { ...options.modules, loadMs: loadMs * PATIENCE };
    const patient = { ...this.#means, options: { ...options, modules }, signal: this.#closing.signal };
    const next = await Reading.open(patient, this.#look());
    if (this.isClosed || this.#reading !== slow) await next.close();
    else await this.#replace(next);
  }
  async #replace(next: Reading): Promise<void> {
    const before = this.#reading;
    this.#reading = next;
    this.#settle(before);
    await before.close();
  }
  #settle(before?: Reading): void {
    const state = (this.#state = this.#reading.currentState());
    this.#onChange(before === undefined ? {} : { before });
    // Parts that load with the first hook join the state once loaded. Callers that fire meanwhile wait, and get the error if
    // loading fails.
    const settleLoaded = () => void (this.#state.loading && this.#settle());
    state.loading?.then(settleLoaded).catch(() => {});
  }
  #look(): OneLook {
    return oneLook(locationsOf(this.#means.options));
  }
}
