/** The hooks of one agent session, open in this process. They are opened again whenever a file they were read from changes. */

import { sep } from 'node:path';
import type { NativeOutput } from '../console/speak.ts';
import type { Locations } from '../events/dialect.ts';
import type { Hook } from '../events/hook.ts';
import { answerFire, answerOpenFailure, type FireRequest, locationsFor, openHooks } from '../fire/answer.ts';
import { foldersOf } from '../gather/folders.ts';
import { ModulesNeedProcess } from '../gather/modules-need-process.ts';
import type { Hooks } from '../library/hooks.ts';
import { filesNamed } from '../self-protection/made-of/scripts-named.ts';
import type { DiskRecord } from '../settings/disk-record.ts';
import { capturePrinted, printForEvent } from './captured-output.ts';
import { moduleFilesOf } from './module-files.ts';
import { PROGRAM_FOLDER } from './program-mark.ts';
import { recordReads } from './recorded-reads.ts';

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
    return this.#in(request.env).answer(request, startedMs);
  }
  async close(): Promise<void> {
    await Promise.all(this.#all.map((hooks) => hooks.close()));
  }

  #in(env: Environment): HooksInEnvironment {
    const key = environmentKey(env);
    const hooks = this.#open.get(key) ?? new HooksInEnvironment(this.#options);
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
  #opened: Promise<OpenedHooks> | undefined;
  #inFlight = 0;

  constructor(options: SessionHooksOptions) {
    this.#options = options;
  }

  get inFlight(): number {
    return this.#inFlight;
  }
  async isCurrent(): Promise<boolean> {
    const opened = await this.#opened?.catch(() => undefined);
    return opened === undefined || opened.isCurrent();
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
    try {
      const opened = await this.#current(request, startedMs);
      return await opened.use((hooks, locations) => answerFire(request, hooks, { locations, startedMs }));
    } catch (error) {
      if (error instanceof ModulesNeedProcess) throw error;
      return answerOpenFailure(request, error as Error);
    }
  }

  /** Events that arrive while hooks are being opened wait for the same opening. */
  async #current(request: FireRequest, startedMs: number): Promise<OpenedHooks> {
    const before = this.#opened;
    const opened = await before?.catch(() => undefined);
    if (opened !== undefined && (!this.#options.checksFiles || opened.isCurrent())) return opened;
    if (this.#opened === before) {
      this.#opened = this.#open(request, startedMs);
      opened?.retire();
    }
    return this.#opened ?? this.#current(request, startedMs);
  }

  async #open(request: FireRequest, startedMs: number): Promise<OpenedHooks> {
    const open = async () => {
      const locations = locationsFor(request);
      const { refuseImports } = this.#options;
      const hooks = await openHooks(request, { locations, log: printForEvent, startedMs, refuseImports });
      return { hooks, locations };
    };
    const isOwnState = writtenByEvents(locationsFor(request));
    const { value, record } = await recordReads(open, {
      alsoRead: ({ hooks }) => moduleFilesOf(hooks),
      written: ({ hooks, locations }) => filesWrittenBy(hooks.hooks, locations),
      isIgnored: (path) => path.startsWith(PROGRAM_FOLDER) || isOwnState(path),
    });
    return new OpenedHooks(value.hooks, value.locations, record);
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    opened?.retire();
  }
}

/** Closes its hooks once it is retired and no event uses them any more. */
class OpenedHooks {
  readonly #hooks: Hooks;
  readonly #locations: Required<Locations>;
  readonly #record: DiskRecord;
  #users = 0;
  #isRetired = false;

  constructor(hooks: Hooks, locations: Required<Locations>, record: DiskRecord) {
    this.#hooks = hooks;
    this.#locations = locations;
    this.#record = record;
  }
  isCurrent(): boolean {
    return !this.#isRetired && this.#record.isSame();
  }
  async use<T>(work: (hooks: Hooks, locations: Required<Locations>) => Promise<T>): Promise<T> {
    this.#users += 1;
    try {
      return await work(this.#hooks, this.#locations);
    } finally {
      this.#users -= 1;
      this.#closeIfUnused();
    }
  }
  retire(): void {
    this.#isRetired = true;
    this.#closeIfUnused();
  }
  #closeIfUnused(): void {
    // Nothing depends on it any more, so a failure to close is ignored.
    if (this.#isRetired && this.#users === 0) this.#hooks.close().catch(() => {});
  }
}

/** Files that events write and read again each time. A change there does not change the settings. */
function writtenByEvents(locations: Locations): (path: string) => boolean {
  const { heads, journal, acts, reload, sessions, texts, judged, compiled, approvals, undo } =
    foldersOf(locations);
  const places = [heads, journal, acts, reload, sessions, texts, judged, compiled, approvals, undo];
  return (path) => places.some((place) => path === place || path.startsWith(`${place}${sep}`));
}

/** Files behind a `>` of a command, mostly logs. */
const filesWrittenBy = (hooks: readonly Hook[], locations: Locations): string[] =>
  hooks.flatMap((hook) =>
    filesNamed(hook, locations).flatMap(({ path, isWritten }) => (isWritten ? [path] : [])),
  );
