/** The hooks of one project, open for a program in another language. Changed files count at the next event, as in the daemon. */

import { ApprovalStore } from '../approvals/store.ts';
import { FreshHooks, type HooksSource } from '../daemon/fresh-hooks.ts';
import type { Event, EventInput } from '../events/event.ts';
import { EVENT_NAMES, type EventName } from '../events/events.ts';
import { label } from '../events/hook.ts';
import type { Outcome } from '../events/outcome.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import type { Options } from '../gather/options.ts';
import { createHooks } from '../library/create-hooks.ts';
import type { Hooks } from '../library/hooks.ts';
import { errorText, type Params, ServeError } from './messages.ts';

const LOOK_EVERY_MS = 1000;

type Log = (text: string) => void;

export class ServedSession {
  readonly #source: HooksSource;
  readonly #host: string;
  readonly #fresh = new FreshHooks({ checksFiles: true });
  #watch: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(params: Params<'open'>, log: Log) {
    this.#host = params.host.name;
    const options = optionsOf(params, log);
    this.#source = { locations: locationsOf(options), open: () => createHooks(options) };
  }

  /** Rejects with a `ServeError` if the hooks cannot be opened. */
  async describe(): Promise<object> {
    try {
      return await this.#use(async (hooks) => descriptionOf(hooks));
    } catch (error) {
      const code = error instanceof TypeError ? 'wrong-params' : 'not-opened';
      throw new ServeError(code, errorText(error).replace(/^createHooks/, 'open'));
    }
  }
  async fire({ event, payload, ids, scene, budgetMs }: Params<'fire'>, signal: AbortSignal): Promise<object> {
    const input = {
      name: event,
      payload,
      signal,
      ...(ids !== undefined && { ids: without(ids) }),
      ...(scene !== undefined && { scene: without(scene) }),
      ...(budgetMs !== undefined && { budgetMs }),
    };
    return this.#use(async (hooks) => {
      const outcome = await hooks.fire(input as EventInput).catch((error: unknown) => {
        // `fire` rejects for nothing but a wrong event.
        throw new ServeError('wrong-params', errorText(error).replace(/^hooks\./, ''));
      });
      return jsonOf(outcome);
    });
  }
  reload(): Promise<object> {
    return this.#use(async (hooks) => {
      await hooks.reload();
      return descriptionOf(hooks);
    });
  }
  /** Open questions to the user, without the answers: only the user can give those. */
  approvals(): object {
    const store = new ApprovalStore(foldersOf(this.#source.locations).approvals);
    const questions = store
      .list()
      .filter(({ agent, project }) => agent === this.#host && project === this.#source.locations.cwd);
    return { questions };
  }
  /** Calls `onChange` with a new description after the hooks have changed. `describe` must have been called. */
  watch(description: object, onChange: (description: object) => void): void {
    let known = JSON.stringify(description);
    let readTimes = this.#fresh.timesOpened;
    const look = async (): Promise<void> => {
      if (this.#fresh.timesOpened === readTimes && (await this.#fresh.isCurrent())) return;
      const found = await this.describe();
      readTimes = this.#fresh.timesOpened;
      const isNew = JSON.stringify(found) !== known;
      known = JSON.stringify(found);
      if (isNew && this.#watch !== undefined) onChange(found);
    };
    this.#watch = setInterval(() => {
      // A failure is reported by the next event, which opens the hooks as well.
      if (!this.#isLooking)
        void look()
          .catch(() => {})
          .finally(() => (this.#isLooking = false));
      this.#isLooking = true;
    }, LOOK_EVERY_MS).unref();
  }
  async close(): Promise<void> {
    clearInterval(this.#watch);
    this.#watch = undefined;
    await this.#fresh.close();
  }

  #use<T>(work: (hooks: Hooks) => Promise<T>): Promise<T> {
    return this.#fresh.use(this.#source, work);
  }
}

/** Modules run in processes of their own: sessions have different environments, and changed modules are loaded again. */
function optionsOf({ host, env, ...given }: Params<'open'>, log: Log): Options {
  const { cwd, home, settings, journal, limits, approvals } = given;
  return {
    host: host as Options['host'], // `createHooks` checks it
    sessionStore: 'file',
    modules: { isolate: 'all' },
    services: { log: (level, message) => log(`anyhook: ${level}: ${message}\n`) },
    ...(cwd !== undefined && { cwd }),
    ...(home !== undefined && { home }),
    ...(env !== undefined && { env }),
    ...(settings !== undefined && {
      settings: without(settings) as Exclude<Options['settings'], false | undefined>,
    }),
    ...(journal !== undefined && { journal }),
    ...(limits !== undefined && { limits }),
    ...(approvals !== undefined && { approvals }),
  };
}

/** Without keys whose value is undefined. */
const without = (fields: object): Partial<Event['ids']> & object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function descriptionOf({ wants, hooks, disabled, problems }: Hooks): object {
  return {
    wants: EVENT_NAMES.filter((name: EventName) => wants[name]),
    hooks: hooks.map((hook) => ({
      id: hook.id,
      name: label(hook).split('\n')[0],
      dialect: hook.dialect,
      on: hook.on,
      ...(hook.matcher !== undefined && { matcher: hook.matcher }),
      layer: hook.origin.layer,
      file: hook.origin.file,
      line: hook.origin.line,
    })),
    disabled: disabled.map(({ id }) => id),
    problems,
  };
}

/** An outcome in JSON, with the values that the library computes on access. */
function jsonOf(outcome: Outcome): object {
  const gifts = Object.fromEntries(outcome.given.map(({ what, value }) => [what, value]));
  return { ...outcome, allowed: outcome.allowed, gifts };
}
