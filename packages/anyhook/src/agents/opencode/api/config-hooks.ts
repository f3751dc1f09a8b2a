/**
 * Runs the command hooks of an `opencode.json` for a program that reports edited files and completed sessions itself.
 */

import { resolve } from 'node:path';
import { type Engine, makeEngine } from '../../../engine/engine.ts';
import type { Place } from '../../../events/dialect.ts';
import type { Event } from '../../../events/event.ts';
import type { Hook } from '../../../events/hook.ts';
import type { Run } from '../../../events/outcome.ts';
import { nearest, type Problem } from '../../../events/problems.ts';
import { openDepthLimit } from '../../../runs/depth-limit.ts';
import { makeRun } from '../../../runs/runs.ts';
import { sharedCommands } from '../../../runs/shared-commands.ts';
import { opencode } from '../dialect/index.ts';
import { CONFIG_WORDS } from '../dialect/names.ts';

export interface ConfigHooksOptions {
  /** The project: patterns are relative to it, and commands run in it. */
  readonly directory: string;
  /** The source of the settings, for problems and records. */
  readonly file?: string;
  /** Timeout for each command. */
  readonly timeoutMs?: number;
}

export interface ConfigHooks {
  /** Resolves when every command for this file has ended. Never rejects because of one. */
  readonly fileEdited: (path: string) => Promise<readonly Run[]>;
  /** Waits for commands of earlier edits and completions. */
  readonly sessionCompleted: () => Promise<readonly Run[]>;
  readonly problems: readonly Problem[];
}

/** `settings` is the text of the file, its parsed content, or the object under `experimental.hook`. */
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

/** The caller waits for the commands, so they are not background hooks, and the engine runs them in order. */
function engineFor(hooks: readonly Hook[]): Engine {
  const run = makeRun({
    commands: sharedCommands,
    services: {},
    depthLimit: openDepthLimit(process.env),
  });
  const awaited = hooks.map((hook): Hook => ({ ...hook, background: false }));
  return makeEngine({ dialects: [opencode], hooks: awaited, run, services: {} });
}

/** Runs tasks one after another in call order. */
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

/**
 * Whether the value is the object under `experimental.hook` itself. Misspelt keys count too, because in a whole file
 * they would be ignored.
 */
const isBare = (settings: unknown): boolean =>
  typeof settings === 'object' &&
  settings !== null &&
  Object.keys(settings).some((key) => nearest(key, CONFIG_WORDS) !== undefined);
