/** Reads `experimental.hook`, `plugin` and `plugins` of an `opencode.json`, and ignores other keys. */

import { basename, relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { isPlain } from '../../../events/changes.ts';
import {
  anyText,
  filledText,
  listOf,
  mapOf,
  object,
  record,
  type Shape,
  shown,
  type Spot,
  spotAt,
  suggestion,
  text,
} from '../../../events/checker.ts';
import type { ConfigRead, Place } from '../../../events/dialect.ts';
import { type Document, readDocument } from '../../../events/document.ts';
import type { Event } from '../../../events/event.ts';
import type { HookFailure } from '../../../events/exchange.ts';
import { isFields } from '../../../events/fields.ts';
import type { Hook, Way } from '../../../events/hook.ts';
import { nearest, type Problem } from '../../../events/problems.ts';
import { holdsHooks, listsModules, reportTypos } from '../../../events/typos.ts';
import { ANY_TEXT, fitsWildcard, isLetter } from '../../../events/wildcard.ts';
import { namesFile } from './command.ts';
import { CONFIG_WORDS, type ConfigWord } from './names.ts';
import { places } from './places.ts';

/** `.ts`, like OpenCode's own keys. */
const ENDING = /^\.[\w-]+(?:\.[\w-]+)*$/;

/**
 * A pattern without a slash is tested on the base name, with a slash on the path below the project, and with a leading
 * slash on the whole path. Throws a TypeError for an invalid pattern.
 */
export function filePattern(pattern: string): (file: string, project: string) => boolean {
  const fits = picomatch(pattern.replace(/^\.\//, ''), { dot: true });
  return (file, project) => {
    const full = resolve(project, file);
    if (pattern.includes('/'))
      return fits((pattern.startsWith('/') ? full : relative(project, full)).replaceAll(sep, '/'));
    const name = basename(full);
    return fits(name) || (ENDING.test(pattern) && name.endsWith(pattern));
  };
}

/** One command of `experimental.hook`. */
interface ConfigEntry {
  readonly command: readonly [string, ...string[]];
  readonly environment?: Readonly<Record<string, string>> | undefined;
}
interface ConfigHookPlace {
  readonly on: ConfigWord;
  readonly place: Place;
  /** A key of `file_edited`. */
  readonly pattern?: string;
  /** The index in its list, from 0. */
  readonly index: number;
  readonly line: number;
  readonly column?: number;
}

/** OpenCode has no timeout. Without one, a formatter that hangs would block everything that waits for it. */
const COMMAND_MS = 5 * 60_000;
/** One queue for all commands: a commit waits for the formatters, and a second commit for the first. */
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

/** An unreadable command stays and fails where it would have run. */
function missingConfigHook(entryPlace: ConfigHookPlace, why: HookFailure): Hook {
  const { label: _, ...hook } = configHook({ command: ['?'] }, entryPlace);
  return { ...hook, run: { kind: 'missing', why } };
}

/** The end of a subagent does not complete the session. */
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

/**
 * Reads the lists `plugin` and, since OpenCode 2, `plugins`: package names and paths, alone or with options. Nothing is
 * resolved here.
 */
type Module = ConfigRead['modules'][number];

function pluginsIn(spot: Spot, document: Document, place: Place): Module[] {
  if (spot.value === undefined) return [];
  if (!Array.isArray(spot.value)) {
    spot.report('wrong-type', `is ${shown(spot.value)}; expected a list of plugins`, {
      remedy: 'Write "plugin": ["./plugin.ts", "a-package", ["another", { "option": true }]].',
    });
    return [];
  }
  let read: Module[] = [];
  for (const index of spot.value.keys()) {
    const one = spot.part(index);
    const asked = readPlugin(one);
    if (asked === undefined || asked.file === '*') continue; // all of them, like a missing filter
    if (asked.file.startsWith('-')) read = read.filter(({ file }) => !isNamed(file, asked.file.slice(1)));
    else read.push({ ...asked, place, line: document.at(one.path).line });
  }
  return read;
}

/** `-name` and `-team.*` disable earlier entries of the list. */
function isNamed(file: string, pattern: string): boolean {
  const parts = pattern.split('').map((one) => (one === '*' ? ANY_TEXT : isLetter(one)));
  return fitsWildcard(parts, file.replace(/(?<=.)@[^/]*$/, ''));
}

const REMEDY =
  'Write a path, the name of a package, or one of these with its options: [name, {…}] or { package, options }.';

function readPlugin({ value, report }: Spot): Pick<Module, 'file' | 'options'> | undefined {
  const [file, options, ...more] = partsOf(value);
  if (typeof file !== 'string') report('wrong-type', `is ${shown(value)}`, { remedy: REMEDY });
  else if (file.trim() === '') report('bad-value', 'is empty', { remedy: REMEDY });
  else if (more.length > 0)
    report('bad-value', `is ${shown(value)}: a pair has two parts`, { remedy: REMEDY });
  else if (options !== undefined && !isPlain(options))
    report('wrong-type', `has options that are not an object (${shown(options)})`, { remedy: REMEDY });
  else return { file: file.trim(), ...(options !== undefined && { options }) };
  return undefined;
}

function partsOf(value: unknown): unknown[] {
  if (isPlain(value)) return [value['package'], value['options']];
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

export const config = { places, read };

interface Source {
  readonly document: Document;
  readonly place: Place;
  readonly problems: Problem[];
}

function read(source: string, place: Place): ConfigRead {
  const document = readDocument(source, place.file);
  const problems: Problem[] = [...document.problems];
  const root = spotAt(document, [], problems);
  if (document.value === undefined || record(root) === undefined) return { hooks: [], modules: [], problems };
  reportTypos(root, { known: ['experimental', 'plugin', 'plugins'], keyFor });
  const from: Source = { document, place, problems };
  const hooks = toldApart(configHooksIn(hookSpot(root), from));
  const modules = ['plugin', 'plugins'].flatMap((key) => pluginsIn(root.part(key), document, place));
  return { hooks, modules, problems };
}

const keyFor = (value: unknown): string | undefined => {
  const isHook = ([key, held]: [string, unknown]) =>
    nearest(key, ['hook'], 1) !== undefined && holdsHooks(held, CONFIG_WORDS);
  const holds = (one: unknown) => isFields(one) && Object.entries(one).some(isHook);
  if (holds(value) || (isFields(value) && holds(value['experimental']))) return 'experimental';
  return listsModules(value) ? 'plugin' : undefined;
};

function hookSpot(root: Spot): Spot | undefined {
  const experimental = root.part('experimental');
  if (experimental.value === undefined || record(experimental) === undefined) return undefined;
  reportTypos(experimental, { known: ['hook'], events: { words: CONFIG_WORDS, key: 'hook' } });
  return experimental.part('hook');
}

/** Reads the object under `experimental.hook`. */
export function configHooksIn(spot: Spot | undefined, source: Source): Hook[] {
  if (spot === undefined || spot.value === undefined) return [];
  return Object.keys(record(spot) ?? {}).flatMap((word) => {
    const part = spot.part(word);
    if (word === 'file_edited')
      return Object.keys(record(part) ?? {}).flatMap((pattern) => patternAt(part, pattern, source));
    if (word === 'session_completed') return commandsAt(part, { on: word }, source);
    part.report('unknown-event', `unknown event ${shown(word)}`, {
      at: 'key',
      remedy: suggestion(word, CONFIG_WORDS),
    });
    return [];
  });
}

function patternAt(spot: Spot, pattern: string, source: Source): Hook[] {
  const commands = spot.part(pattern);
  try {
    filePattern(pattern);
  } catch (error) {
    const remedy = 'Write a glob such as "*.ts" or "src/**/*.py". Its commands do not run until then.';
    commands.report('bad-matcher', `${shown(pattern)}: ${(error as Error).message}`, { remedy, at: 'key' });
    return [];
  }
  return commandsAt(commands, { on: 'file_edited', pattern }, source);
}

type ConfigGroup = { readonly on: ConfigWord; readonly pattern?: string };

function commandsAt(spot: Spot, entryPlace: ConfigGroup, { document, place, problems }: Source): Hook[] {
  if (!Array.isArray(spot.value)) {
    const remedy = 'Write [ { "command": ["program", "argument"] } ].';
    spot.report('wrong-type', `is ${shown(spot.value)}; expected a list of commands`, { remedy });
    return [];
  }
  if (spot.value.length === 0)
    spot.report('empty-list', 'is an empty list', { remedy: 'Nothing runs.', severity: 'warning' });
  return spot.value.map((_, index) => {
    const { path } = spot.part(index);
    const entryProblems: Problem[] = [];
    const full: ConfigHookPlace = { ...entryPlace, place, index, ...document.at(path) };
    const entry = readEntry(spotAt(document, path, entryProblems));
    problems.push(...entryProblems);
    if (entry !== undefined) return configHook(entry, full);
    const fault = entryProblems.find(({ severity }) => severity === 'error');
    return missingConfigHook(full, {
      kind: 'not-loaded',
      detail: [fault?.key, fault?.message].filter(Boolean).join(' '),
    });
  });
}

/** An argument may be empty, the program may not. */
const command: Shape<ConfigEntry['command']> = (spot) => {
  if (typeof spot.value === 'string') {
    const remedy = `Write a list: ${shown(['sh', '-c', spot.value])} for a shell, or the program and its arguments.`;
    spot.report('wrong-type', `is a text (${shown(spot.value)}); expected a list of strings`, { remedy });
    return undefined;
  }
  const argv = filledText(listOf(anyText))(spot);
  return argv === undefined || text(spot.part(0)) === undefined ? undefined : argv;
};
const entryShape = object({ command, environment: mapOf(anyText) }, 'warning');

function readEntry(spot: Spot): ConfigEntry | undefined {
  const entry = entryShape(spot);
  if (entry === undefined) return undefined;
  if (spot.part('command').value === undefined)
    spot.report('bad-value', 'has no command', { remedy: 'Write "command": ["program", "argument"].' });
  if (entry.command === undefined) return undefined;
  warnOfShell(entry.command, spot.part('command'));
  if (spot.part('environment').value !== undefined && entry.environment === undefined) return undefined;
  return { command: entry.command, environment: entry.environment };
}

/** A file name inserted into a script is executed as script: `a;rm -rf .ts` is a valid file name. */
function warnOfShell([program, flag, script = '']: readonly string[], spot: Spot): void {
  if (!/(^|[\\/])(ba|da|z|k)?sh$/.test(program ?? '') || flag !== '-c' || !namesFile(script)) return;
  spot.part(2).report('bad-value', 'inserts the file name into the text of a script', {
    remedy: 'Pass it as an argument: ["sh", "-c", "prettier --write \\"$1\\"", "sh", "{file}"].',
    severity: 'warning',
  });
}

/** A duplicate in one file runs twice. Only duplicates across files are one hook. */
function toldApart(hooks: readonly Hook[]): Hook[] {
  const seen = new Map<string, number>();
  return hooks.map((hook) => {
    const key = JSON.stringify([hook.on, hook.matcher, hook.run]);
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return times === 1 ? hook : { ...hook, extra: { time: times } };
  });
}
