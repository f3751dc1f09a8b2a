/** The hooks of one agent session, open in this process. They are opened again whenever a file they were read from changes. */

import type { NativeOutput } from '../console/speak.ts';
import { answerFire, answerOpenFailure, type FireRequest, locationsFor, openHooks } from '../fire/answer.ts';
import { noteCall } from '../fire/note-call.ts';
import { ModulesNeedProcess } from '../gather/modules-need-process.ts';
import { SessionUsage } from '../usage/session-usage.ts';
import { capturePrinted, printForEvent } from './captured-output.ts';
import { FreshHooks } from './fresh-hooks.ts';

export interface SessionHooksOptions {
  /** Open nothing that would run a module of the user in this process; `answer` then rejects with `ModulesNeedProcess`. */
  readonly refuseImports: boolean;
  /** Look before each event whether files have changed. Otherwise the caller does, with `isCurrent`. */
  readonly checksFiles: boolean;
}

/** One for the prompt and one for its tool calls: some agents add variables to some of their events. */
const MAX_ENVIRONMENTS = 2;

type Environment = FireRequest['env'];

/** Equal for environments with the same variables. */
export const environmentKey = (env: Environment): string => JSON.stringify(Object.entries(env).toSorted());

/** Settings, matchers and hook commands depend on the environment of the event, so hooks are open once for each. */
export class SessionHooks {
  readonly #options: SessionHooksOptions;
  /** The most recently used last. */
  readonly #open = new Map<string, HooksInEnvironment>();
  readonly #sessionUsage = new SessionUsage();
  #isCallNoted = false;

  constructor(options: SessionHooksOptions) {
    this.#options = options;
  }

  get inFlight(): number {
    return this.#all.reduce((sum, hooks) => sum + hooks.inFlight, 0);
  }
  /** Nothing is open yet, or everything that was read is as it was. */
  async isCurrent(): Promise<boolean> {
    const answers = await Promise.all(this.#all.map((hooks) => hooks.isCurrent()));
    return answers.every(Boolean);
  }
  /** Rejects only with `ModulesNeedProcess`. `startedMs`: when its deadline began, by `performance.now()`. */
  answer(request: FireRequest, startedMs: number): Promise<NativeOutput> {
    if (!this.#isCallNoted) noteCall(request);
    this.#isCallNoted = true;
    return this.#in(request.env).answer(request, startedMs);
  }
  async close(): Promise<void> {
    await Promise.all(this.#all.map((hooks) => hooks.close()));
  }

  #in(env: Environment): HooksInEnvironment {
    const key = environmentKey(env);
    const hooks = this.#open.get(key) ?? new HooksInEnvironment(this.#options, this.#sessionUsage);
    this.#open.delete(key);
    const idle = [...this.#open].filter(([, other]) => other.inFlight === 0);
    for (const [old, other] of idle.slice(0, Math.max(0, this.#open.size - MAX_ENVIRONMENTS + 1))) {
      this.#open.delete(old);
      void other.close();
    }
    this.#open.set(key, hooks);
    return hooks;
  }
  get #all(): HooksInEnvironment[] {
    return [...this.#open.values()];
  }
}

class HooksInEnvironment {
  readonly #options: SessionHooksOptions;
  readonly #fresh: FreshHooks;
  readonly #sessionUsage: SessionUsage;
  #inFlight = 0;

  constructor(options: SessionHooksOptions, sessionUsage: SessionUsage) {
    this.#options = options;
    this.#fresh = new FreshHooks({ checksFiles: options.checksFiles });
    this.#sessionUsage = sessionUsage;
  }

  get inFlight(): number {
    return this.#inFlight;
  }
  isCurrent(): Promise<boolean> {
    return this.#fresh.isCurrent();
  }

  async answer(request: FireRequest, startedMs: number): Promise<NativeOutput> {
    this.#inFlight += 1;
    try {
      const { value, text } = await capturePrinted(() => this.#answer(request, startedMs));
      return { ...value, stderr: text + value.stderr };
    } finally {
      this.#inFlight -= 1;
    }
  }

  async #answer(request: FireRequest, startedMs: number): Promise<NativeOutput> {
    const locations = locationsFor(request);
    const { refuseImports } = this.#options;
    const sessionUsage = this.#sessionUsage;
    const open = () => openHooks(request, { locations, log: printForEvent, startedMs, refuseImports });
    try {
      return await this.#fresh.use({ open, locations }, (hooks, openedAt) =>
        answerFire(request, hooks, { locations: openedAt, startedMs, sessionUsage }),
      );
    } catch (error) {
      if (error instanceof ModulesNeedProcess) throw error;
      return answerOpenFailure(request, error as Error);
    }
  }

  close(): Promise<void> {
    return this.#fresh.close();
  }
}
