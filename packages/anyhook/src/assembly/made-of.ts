/**
 * Which files a hook is made of: the scripts it names, what these source, import or start, the lists they read, the start-up files
 * of their interpreters, and the programs that their names lead to on the PATH. A guard whose parts change is another guard.
 */
import { readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { commandsIn } from '../canon/bash/commands-in.ts';
import type { Locations } from '../canon/dialect.ts';
import type { Hook } from '../canon/hook.ts';
import { entryOf, moduleEntry, type TrustEntry } from '../settings/trust/entry.ts';
import { trustedFilesOf } from '../settings/trust/gathering.ts';
import { openProject } from '../settings/trust/project.ts';
import { languageOf, shebangIn } from '../settings/trust/refs/language.ts';
import { resolveOnPath } from './on-path.ts';
import { scriptsNamed } from './scripts-named.ts';

export interface MadeOf {
  readonly files: readonly string[];
  /** Where code would be found before the files above, and there is none. */
  readonly absent: readonly string[];
  /** Names of programs, and where the PATH leads for each. */
  readonly programs: Readonly<Record<string, string>>;
}
type Around = Pick<Required<Locations>, 'cwd' | 'home' | 'env'>;

const NOTHING: MadeOf = { files: [], absent: [], programs: {} };
/** Only an administrator changes these. */
const SYSTEM = /^\/(?:bin|sbin|usr(?!\/local)|lib\w*|nix|System|Library|etc|dev|proc)(?:\/|$)/;

export function madeOfHook(hook: Hook, around: Around): MadeOf {
  if (hook.run.kind === 'call') return madeOfModule(hook.origin.file, around);
  const made = madeOfEntry(entryOf(hook, around.cwd), around);
  return { ...made, files: [...new Set([...made.files, ...scriptsNamed(hook, around)])] };
}

export const madeOfModule = (file: string, around: Around): MadeOf =>
  isAbsolute(file) ? madeOfEntry(moduleEntry(file, { file, dialect: '' }), around) : NOTHING;

function madeOfEntry(entry: TrustEntry, around: Around): MadeOf {
  const found = trustedFilesOf(entry, openProject('/'), { vars: { HOME: around.home, PWD: around.cwd } });
  const files = found.files.map(({ name }) => `/${name}`).filter((path) => !SYSTEM.test(path));
  const texts = found.files
    .filter(({ name, bytes }) => files.includes(`/${name}`) && !bytes.subarray(0, 8192).includes(0))
    .map(({ name, bytes, reads }) => ({ path: `/${name}`, bytes, reads }));
  const lists = texts.flatMap(({ path, bytes }) => listsRead(bytes.toString('utf8'), path, around));
  const packages = found.doubts.flatMap((doubt) => packageFiles(doubt));
  const scripts = texts.filter(({ path, bytes, reads }) => languageOf(path, bytes, reads[0]) === 'shell');
  const interpreters = texts.flatMap(
    ({ bytes }) => /(?:env\s+(?:-\S+\s+)*)(\S+)/.exec(shebangIn(bytes) ?? '')?.[1] ?? [],
  );
  const lines = [lineOf(entry), ...scripts.map(({ bytes }) => bytes.toString('utf8'))];
  const commands = [...lines.flatMap(commandNames), ...interpreters];
  const startUps = startUpFiles(
    [...commands, ...texts.map(({ bytes }) => shebangIn(bytes) ?? '')],
    lines,
    around,
  );
  const programs = programsNamed(commands, around);
  const outside = Object.values(programs).filter((path) => path !== '' && !SYSTEM.test(path));
  const all = new Set([...files, ...lists, ...packages, ...outside, ...startUps.filter(isThere)]);
  const absent = found.absent.map((name) => `/${name}`).filter((path) => !/\/-\w*$/.test(path));
  return {
    files: [...all],
    absent: [...absent, ...startUps].filter((path) => !all.has(path) && !isThere(path)),
    programs,
  };
}

const lineOf = ({ named }: TrustEntry): string =>
  named.kind !== 'command' ? '' : 'line' in named.run ? named.run.line : named.run.argv.join(' ');

const commandNames = (text: string): string[] =>
  text === ''
    ? []
    : commandsIn(text).commands.flatMap(({ words: [name = ''] }) => (/^[\w.+-]+$/.test(name) ? [name] : []));

/** Text files that code reads by a literal name: deny lists and the like. What it writes itself is its own business. */
const LIST =
  /[\w./~$@{}+-]*\w\.(?:txt|json|jsonc|ya?ml|toml|csv|list|conf|cfg|ini|rules|regex|patterns?|deny|allow)\b/g;
/** `STATE=~/state.json`, `const file = join(here, 'state.json')`: what is done with the name later is done with the file. */
const ASSIGNED = /\b(\w+)\s*=(?![=>])/;
const WRITES = />|\btee\b|write|append|dump|open\w*\([^)\n]*,\s*(?:mode\s*=\s*)?["'][wax]|\bmv\b|\bcp\b/i;

function listsRead(text: string, path: string, { cwd, home }: Around): string[] {
  const lines = text.split('\n');
  const writing = lines.filter((line) => WRITES.test(line));
  const named = lines.flatMap((line) => [...line.matchAll(LIST)].map(([name]) => ({ name, line })));
  const isWritten = (name: string) =>
    named
      .filter((one) => one.name === name)
      .flatMap(({ line }) => [name, ...(ASSIGNED.exec(line)?.slice(1) ?? [])])
      .some((word) => writing.some((line) => line.includes(word)));
  return [...new Set(named.map(({ name }) => name))]
    .filter((name) => !isWritten(name))
    .map((name) => name.replace(/^(?:~|\$\{?HOME\}?)(?=\/)/, home).replace(/^\$\{?\w+\}?\/+/, ''))
    .flatMap((name) => [resolve(dirname(path), name.replace(/^\/+(?=[^/]+$)/, '')), resolve(cwd, name)])
    .filter((one, at, every) => every.indexOf(one) === at && !SYSTEM.test(one) && isSmallFile(one));
}

const MOST_IN_PACKAGE = 200;
/** A package beside the script, where it is looked up by name: all of its files, or its manifest alone if there are too many. */
function packageFiles(doubt: string): string[] {
  const [, from, name] = /^(.*): the package (\S+) is not bound$/.exec(doubt) ?? [];
  if (from === undefined || name === undefined || name === 'anyhook') return [];
  const [scope, rest = ''] = name.split('/');
  const wanted = scope!.startsWith('@') ? `${scope}/${rest}` : scope!;
  for (let folder = dirname(`/${from}`); ; folder = dirname(folder)) {
    const root = join(folder, 'node_modules', wanted);
    if (isThere(root)) return filesBelow(root) ?? [join(root, 'package.json')].filter(isThere);
    if (folder === dirname(folder)) return [];
  }
}
function filesBelow(root: string): string[] | undefined {
  try {
    const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && !entry.parentPath.slice(root.length).includes('/node_modules'),
    );
    return entries.length > MOST_IN_PACKAGE
      ? undefined
      : entries.map(({ parentPath, name }) => join(parentPath, name));
  } catch {
    return undefined;
  }
}

/** What an interpreter reads of the user's before the script, by its name. */
const START_UP: readonly (readonly [program: RegExp, files: (around: Around) => readonly string[]])[] = [
  [/\bzsh\b/, ({ home, env }) => [join(env['ZDOTDIR'] ?? home, '.zshenv')]],
  [/\bjq\b/, ({ home }) => [join(home, '.jq')]],
  [/\b(?:npm|npx|pnpm|yarn)\b/, ({ home, cwd }) => [join(home, '.npmrc'), join(cwd, '.npmrc')]],
  [
    /\bperl\b/,
    ({ env }) =>
      (env['PERL5LIB'] ?? '')
        .split(':')
        .filter(Boolean)
        .map((one) => join(one, 'sitecustomize.pl')),
  ],
  [/\bpython[\d.]*\b|\bpypy/, pythonStartUp],
  [/\b(?:ba|k|da)?sh\b/, ({ env }) => [env['BASH_ENV'] ?? '', env['ENV'] ?? ''].filter(isAbsolute)],
];
function startUpFiles(programs: readonly string[], lines: readonly string[], around: Around): string[] {
  const found = START_UP.flatMap(([program, files]) =>
    programs.some((name) => program.test(name)) ? files(around) : [],
  );
  const isInteractive = lines.some((line) => /\bbash\s+(?:-\S+\s+)*-\w*[il]/.test(line));
  const shell = isInteractive
    ? ['.bashrc', '.bash_profile', '.profile'].map((one) => join(around.home, one))
    : [];
  return [...new Set([...found, ...shell])];
}
/** `usercustomize`, `sitecustomize` and `*.pth` of the user's own site folder. */
function pythonStartUp({ home }: Around): string[] {
  const base = join(home, '.local', 'lib');
  const versions = Array.from({ length: 12 }, (_, at) => `python3.${at + 8}`);
  return [...new Set([...versions, ...namesIn(base).filter((name) => name.startsWith('python'))])]
    .map((name) => join(base, name, 'site-packages'))
    .flatMap((site) => [
      `${site}/`, // a new `*.pth` is a new name in it
      ...namesIn(site)
        .filter((name) => /^(?:user|site)customize\.py$|\.pth$/.test(name))
        .map((name) => join(site, name)),
    ]);
}

function programsNamed(names: readonly string[], { env, cwd }: Around): Record<string, string> {
  return Object.fromEntries(
    [...new Set(names)].map((name) => [name, resolveOnPath(name, env['PATH'] ?? '', cwd)]),
  );
}
const isThere = (path: string): boolean => statusOf(path) !== undefined;
const isSmallFile = (path: string): boolean => {
  const found = statusOf(path);
  return found?.isFile() === true && found.size < 4 * 1024 * 1024;
};
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // it cannot be reached: nothing is read there either
  }
}
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
