/** `anyhook init`: creates a first working hook with a test case. Never changes existing files. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { places } from '../agents/anyhook/dialect/places.ts';
import { print, printJson, say } from '../console/print.ts';
import { nearOrAll, UsageError } from '../console/usage.ts';
import { locationsOf } from '../gather/folders.ts';
import { Unreadable, withEntries } from '../install/json-text.ts';
import { packageFile } from '../own-files.mjs';
import { shortPath } from '../render/screen.ts';
import { announce, checkPerson } from './by-person.ts';
import type { Define } from './commands.ts';
import { caseFor, ENDINGS, FIRST_HOOKS, type HookKind, typesFor } from './first-hooks.ts';
import { SET_NAMES, writeSet } from './sets.ts';

interface InitOptions {
  readonly json?: boolean;
  readonly set?: string;
  readonly kind?: string;
  readonly user?: boolean;
}
const KINDS = Object.keys(FIRST_HOOKS) as HookKind[];

export const define: Define = (command, done) => {
  command
    .argument('[file]', 'File to write; its extension selects the kind')
    .option('--kind <kind>', `Language of the hook: ${KINDS.join(', ')} (default: typescript)`)
    .option('--user', 'Write to your own hooks, for all projects')
    .option('--set <name>', `Write a ready-made set of hooks with tests: ${SET_NAMES.join(', ')}`)
    .option('--json', 'Print JSON')
    .action((file: string | undefined, options: InitOptions) =>
      done(options.set === undefined ? init(file, options) : initSet(options.set, options)),
    );
};

function initSet(name: string, { json }: InitOptions): number {
  const { files, next } = writeSet(name);
  if (json === true) printJson({ files });
  else print([...files.map((file) => `Wrote ${file}`), ...next.map((command) => `Next: ${command}`)]);
  return 0;
}

/** All or nothing: every file is checked before the first one is written. */
export function init(named: string | undefined, options: InitOptions): number {
  if (options.user === true) checkPerson('init --user', process.env);
  const kind = kindOf(named, options.kind);
  const first = FIRST_HOOKS[kind];
  const settings = settingsFor(options.user === true ? 'user' : 'project');
  const hook = named === undefined ? join(dirname(settings), first.file) : resolve(named);
  const cases = join(dirname(hook), `${basename(hook, extname(hook))}.test.yaml`);
  const entry = first.entry(callOf(hook, options.user === true));
  // A module is found by its folder. A script needs an entry in `hooks.json`.
  const asking = kind === 'json' ? hook : entry === undefined ? undefined : settings;
  for (const path of [...(kind === 'json' ? [] : [hook]), cases])
    if (existsSync(path)) throw new UsageError(`init: ${shown(path)} already exists and was not changed`);
  const written: Written[] = [];
  if (kind !== 'json') written.push({ file: hook, text: first.text, ...(entry && { mode: 0o755 }) });
  if (asking !== undefined && entry !== undefined) written.push(asked(asking, entry, options.user === true));
  written.push({ file: cases, text: caseFor(first, hook, kind === 'json') });
  const isInFolder = dirname(hook) === join(dirname(settings), 'hooks');
  const whose = options.user === true ? 'user' : 'project';
  const types = kind === 'typescript' && isInFolder ? typesFor(settings, whose) : undefined;
  if (types !== undefined && !existsSync(types.file)) written.push(types);
  if (options.user === true) announce(`a hook of the user's was begun: ${hook}`);
  for (const { file, text, mode, isThere } of written) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: isThere === true ? 'w' : 'wx', ...(mode !== undefined && { mode }) });
  }
  report(written, cases, options, { kind, hook, settings });
  return 0;
}

interface Written {
  readonly file: string;
  readonly text: string;
  readonly mode?: number;
  /** One more entry in a file of the user's. */
  readonly isThere?: boolean;
}

function kindOf(named: string | undefined, option: string | undefined): HookKind {
  if (option !== undefined && !(KINDS as readonly string[]).includes(option))
    throw new UsageError(`init: unknown kind ${JSON.stringify(option)}; ${nearOrAll(option, KINDS)}`);
  if (named === undefined) return (option as HookKind | undefined) ?? 'typescript';
  const ending = extname(named);
  const kind = KINDS.find((candidate) => ENDINGS[candidate].includes(ending));
  if (kind === undefined || (option !== undefined && option !== kind))
    throw new UsageError(
      `init: ${named} must end in ${(option === undefined ? KINDS : [option as HookKind]).flatMap((one) => ENDINGS[one]).join(', ')}`,
    );
  return kind;
}

const settingsFor = (layer: 'user' | 'project'): string => {
  const place = places(locationsOf({})).find((place) => place.layer === layer);
  if (place === undefined) throw new UsageError('init --user: no home folder to write to');
  return place.file;
};

/** Project commands run in the project folder. User commands run anywhere, so they use a full path. */
const callOf = (hook: string, isUsers: boolean): string =>
  isUsers ? hook : `./${relative(process.cwd(), hook)}`;

function asked(file: string, entry: object, isUsers: boolean): Written {
  const isThere = existsSync(file);
  const schema = isUsers
    ? packageFile('schema/hooks.schema.json')
    : '../node_modules/anyhook/schema/hooks.schema.json';
  const text = isThere ? readFileSync(file, 'utf8') : `${JSON.stringify({ $schema: schema }, null, 2)}\n`;
  try {
    return { file, text: withEntries(text, { 'tool.before': entry }, file).text, isThere };
  } catch (error) {
    if (error instanceof Unreadable) throw new UsageError(`init: ${error.message} Fix it first.`);
    throw error;
  }
}

function report(
  written: readonly Written[],
  cases: string,
  { json, user }: InitOptions,
  { kind, hook, settings }: { readonly kind: HookKind; readonly hook: string; readonly settings: string },
): void {
  const files = written.map(({ file }) => shown(file));
  if (json === true) return printJson({ hook: shown(hook), cases: shown(cases), files });
  const isFound = kind !== 'typescript' || dirname(hook) === join(dirname(settings), 'hooks');
  say([
    ...written.map(({ file, isThere }) => `${isThere ? 'Added to' : 'Wrote'} ${shown(file)}`),
    // Test cases of settings run the hooks that count, and project hooks count only when trusted.
    ...(kind === 'json' && user !== true
      ? [`Next: anyhook trust add, then: anyhook test ${shown(cases)}`]
      : [
          `Next: anyhook test ${shown(cases)}`,
          user === true ? ACTS_EVERYWHERE : isFound ? ACTS_HERE : ACTS_NOWHERE,
        ]),
    ...(kind === 'typescript' && user !== true ? ['For its types in your editor: npm i -D anyhook'] : []),
  ]);
}

const ACTS_EVERYWHERE =
  'It acts from the next session on, in every agent that `anyhook install` was run for.';
const ACTS_HERE = 'To let it act in this project: anyhook trust add';
const ACTS_NOWHERE = 'It runs once it is in ~/.config/anyhook/hooks, or in .anyhook/hooks of a project.';

const shown = (file: string): string => shortPath(file, { cwd: process.cwd(), home: homedir() });
