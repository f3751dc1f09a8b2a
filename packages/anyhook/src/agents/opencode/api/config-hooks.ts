/** The command hooks of an `opencode.json`, for a program that says itself when a file was edited and a session completed. */
import { resolve } from 'node:path';
import type { Place } from '../../../events/dialect.ts';
import type { Event } from '../../../events/event.ts';
import type { Hook } from '../../../events/hook.ts';
import type { Run } from '../../../events/outcome.ts';
import { nearest, type Problem } from '../../../events/problems.ts';
import { opencode } from '../dialect/index.ts';
import { CONFIG_WORDS } from '../dialect/names.ts';
import { type Engine, makeEngine } from '../../../engine/engine.ts';
import { openDepthLimit } from '../../../runs/depth-limit.ts';
import { makeRun } from '../../../runs/runs.ts';
import { sharedCommands } from '../../../runs/shared-commands.ts';

export interface ConfigHooksOptions {
  /** The project: patterns are relative to it, commands run in it. */
  readonly directory: string;
  /** Where the settings came from, for problems and records. */
  readonly file?: string;
  /** For each command. */
  readonly timeoutMs?: number;
}

export interface ConfigHooks {
  /** Resolves when every command for this file has ended. Never rejects because of one. */
  readonly fileEdited: (path: string) => Promise<readonly Run[]>;
  /** Waits for the commands of earlier edits and completions first. */
  readonly sessionCompleted: () => Promise<readonly Run[]>;
  readonly problems: readonly Problem[];
}

/** `settings`: the text of the file, what is in it, or the object under `experimental.hook`. */
export function configHooks(settings: unknown, options: ConfigHooksOptions): ConfigHooks {
  const { directory, file = 'opencode.json', timeoutMs } = options;
  const folder = resolve(directory);
  const place: Place = { layer: 'session', file, folder };
  const { hooks, problems } = opencode.config.read(settingsText(settings), place);
  const engine = engineFor(hooks.map((hook) => ({ ...hook, ...(timeoutMs !== undefined && { timeoutMs }) })));
  const inTurn = makeQueue();
  const fire = (name: 'file.edited' | 'agent.idle', payload: object) =>
    inTurn(async () => {
      const event = {
        name,
        payload,
        ids: { session: 'opencode' },
        scene: { cwd: folder },
        round: 1,
      } as Event;
      const outcome = await engine.fire(event);
      return (outcome?.runs ?? []).filter(({ skipped }) => skipped === undefined);
    });
  return {
    problems,
    fileEdited: (path) => fire('file.edited', { file: resolve(folder, path) }),
    sessionCompleted: () => fire('agent.idle', {}),
  };
}

/** Here somebody waits for the commands, so they are no background hooks: the engine runs them in their order. */
function engineFor(hooks: readonly Hook[]): Engine {
  const run = makeRun({
    commands: sharedCommands,
    services: {},
    depthLimit: openDepthLimit(process.env),
  });
  const awaited = hooks.map((hook): Hook => ({ ...hook, background: false }));
  return makeEngine({ dialects: [opencode], hooks: awaited, run, services: {} });
}

/** One after another, in the order of the calls. */
function makeQueue() {
  let tail: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = tail.then(work);
    tail = done.catch(() => {});
    return done;
  };
}

function settingsText(settings: unknown): string {
  if (typeof settings === 'string') return settings;
  const whole = isBare(settings) ? { experimental: { hook: settings } } : settings;
  return JSON.stringify(whole, null, 2) ?? 'null';
}

/** Is it the object under `experimental.hook` itself? Misspelt keys count too: read as a whole file, they would pass unnoticed. */
const isBare = (settings: unknown): boolean =>
  typeof settings === 'object' &&
  settings !== null &&
  Object.keys(settings).some((key) => nearest(key, CONFIG_WORDS) !== undefined);
