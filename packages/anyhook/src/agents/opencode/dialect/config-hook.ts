/** One command of `experimental.hook`, as a hook for the engine. */
import type { Place } from '../../../events/dialect.ts';
import type { Event } from '../../../events/event.ts';
import type { HookFailure } from '../../../events/exchange.ts';
import type { Hook, Way } from '../../../events/hook.ts';
import type { ConfigWord } from './names.ts';
import { filePattern } from './pattern.ts';

export interface ConfigEntry {
  readonly command: readonly [string, ...string[]];
  readonly environment?: Readonly<Record<string, string>> | undefined;
}
export interface ConfigHookPlace {
  readonly on: ConfigWord;
  readonly place: Place;
  /** A key of `file_edited`. */
  readonly pattern?: string;
  /** From 0, within its list. */
  readonly index: number;
  readonly line: number;
  readonly column?: number;
}

/** OpenCode has none; without one, a formatter that hangs would hold up all that wait for it. */
export const COMMAND_MS = 5 * 60_000;
/** One for all: a commit waits for the formatters, and a second one for the first. */
const QUEUE = 'opencode.json';

export function configHook(entry: ConfigEntry, entryPlace: ConfigHookPlace): Hook {
  const { on, place, pattern, index, line, column } = entryPlace;
  const { layer, file, folder } = place;
  return {
    id: `opencode:${file}#${on}${pattern === undefined ? '' : `[${JSON.stringify(pattern)}]`}.${index + 1}`,
    dialect: 'opencode',
    on,
    origin: { layer, file, line, ...(column !== undefined && { column }) },
    roles: ['observer'],
    match: { kind: 'any' },
    label: entry.command.join(' '),
    ...(pattern !== undefined && { matcher: pattern }),
    when: pattern === undefined ? ofTheAgent : editedFile(pattern, folder),
    run: wayOf(entry, folder),
    background: true,
    queue: QUEUE,
    shadow: false,
    timeoutMs: COMMAND_MS,
  };
}

/** A command that cannot be read: it is there, and it fails where it would have run. */
export function missingConfigHook(entryPlace: ConfigHookPlace, why: HookFailure): Hook {
  const { label: _, ...hook } = configHook({ command: ['?'] }, entryPlace);
  return { ...hook, run: { kind: 'missing', why } };
}

/** A subagent that is done completes no session. */
const ofTheAgent = ({ ids }: Event): boolean => ids.agent === undefined;

function editedFile(pattern: string, folder: string | undefined): (event: Event) => boolean {
  const fits = filePattern(pattern);
  return ({ payload, scene }) => {
    const { file } = payload as { file?: unknown };
    return typeof file === 'string' && fits(file, folder ?? scene.cwd);
  };
}

const wayOf = ({ command, environment }: ConfigEntry, folder: string | undefined): Way => ({
  kind: 'command',
  run: { argv: command },
  env: 'inherit',
  ...(environment !== undefined && { set: environment }),
  ...(folder !== undefined && { cwd: folder }),
});
