/**
 * The files that define what a hook does: its scripts, the files that they source, import or start, the lists they read, the
 * start-up files of their interpreters, and the programs found on the PATH. If one of them changes, the guard has changed.
 */

import { readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { Locations } from '../../events/dialect.ts';
import type { Hook } from '../../events/hook.ts';
import { entryOf, moduleEntry, type TrustEntry } from '../../settings/trust/entry.ts';
import { trustedFilesOf } from '../../settings/trust/gathering.ts';
import { openProject } from '../../settings/trust/project.ts';
import { commandsIn } from '../../shell/analyse.ts';
import { languageOf, shebangIn } from '../../shell/references/language.ts';
import { filesRead } from './files-read.ts';
import { resolveOnPath } from './on-path.ts';
import { scriptsNamed } from './scripts-named.ts';
import { startUpFiles } from './start-up-files.ts';
import { type RunnerTask, tasksIn } from './task-runners.ts';

export interface MadeOf {
  readonly files: readonly string[];
  /** Paths that do not exist, where code would be found before the files above. */
  readonly absent: readonly string[];
  /** Names of programs, and their paths on the PATH. */
  readonly programs: Readonly<Record<string, string>>;
}
type Around = Pick<Required<Locations>, 'cwd' | 'home' | 'env'>;

const NOTHING: MadeOf = { files: [], absent: [], programs: {} };
/** Folders that only an administrator can change. */
const SYSTEM = /^\/(?:bin|sbin|usr(?!\/local)|lib\w*|nix|System|Library|etc|dev|proc)(?:\/|$)/;

export function madeOfHook(hook: Hook, around: Around): MadeOf {
  if (hook.run.kind === 'call') return madeOfModule(hook.origin.file, around);
  const made = madeOfEntry(entryOf(asWritten(hook), around.cwd), around);
  return { ...made, files: [...new Set([...made.files, ...scriptsNamed(hook, around)])] };
}

/** `withOwnModules` rewrites a line so that `python3 -m name` no longer names its module. */
const asWritten = (hook: Hook): Hook =>
  hook.written === undefined || hook.run.kind !== 'command' || !('line' in hook.run.run)
    ? hook
    : { ...hook, run: { ...hook.run, run: { ...hook.run.run, line: hook.written } } };

export const madeOfModule = (file: string, around: Around): MadeOf =>
  isAbsolute(file) ? madeOfEntry(moduleEntry(file, { file, dialect: '' }), around) : NOTHING;

/** `seen`: commands of task runners, which can start each other. */
function madeOfEntry(entry: TrustEntry, around: Around, seen = new Set<string>()): MadeOf {
  const found = trustedFilesOf(entry, openProject('/'), { vars: { HOME: around.home, PWD: around.cwd } });
  const files = found.files.map(({ name }) => `/${name}`).filter((path) => !SYSTEM.test(path));
  const texts = found.files
    .filter(({ name, bytes }) => files.includes(`/${name}`) && !bytes.subarray(0, 8192).includes(0))
    .map(({ name, bytes, reads }) => ({
      path: `/${name}`,
      bytes,
      text: bytes.toString('utf8'),
      language: languageOf(`/${name}`, bytes, reads[0]),
    }));
  const packages = found.doubts.flatMap((doubt) => packageFiles(doubt));
  const scripts = texts.filter(({ language }) => language === 'shell');
  const lists = texts.flatMap(({ path, text, language }) =>
    language === 'none' || language === 'package'
      ? []
      : filesRead({ path, text, isShell: language === 'shell' }, around),
  );
  const interpreters = texts.flatMap(
    ({ bytes }) => /(?:env\s+(?:-\S+\s+)*)(\S+)/.exec(shebangIn(bytes) ?? '')?.[1] ?? [],
  );
  const lines = [lineOf(entry), ...scripts.map(({ text }) => text)];
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
  const cwd = (entry.named.kind === 'command' ? entry.named.cwd : undefined) ?? around.cwd;
  const tasks = [
    ...tasksIn({ text: lineOf(entry), cwd }, around),
    ...scripts.flatMap(({ path, text }) => tasksIn({ text, cwd, script: path }, around)),
  ];
  const direct = {
    files: [...all],
    absent: [...absent, ...startUps].filter((path) => !all.has(path) && !isThere(path)),
    programs,
  };
  return tasks.map((task) => madeOfTask(entry, task, around, seen)).reduce(joined, direct);
}

function madeOfTask(entry: TrustEntry, task: RunnerTask, around: Around, seen: Set<string>): MadeOf {
  const key = JSON.stringify(task);
  if (seen.has(key)) return NOTHING;
  seen.add(key);
  const named = { kind: 'command', run: { line: task.line }, cwd: task.cwd } as const;
  const parts = [...task.manifests, ...task.programs];
  const direct = {
    files: parts.filter(isThere),
    absent: parts.filter((path) => !isThere(path)),
    programs: {},
  };
  return task.line === '' ? direct : joined(direct, madeOfEntry({ ...entry, named }, around, seen));
}

const joined = (a: MadeOf, b: MadeOf): MadeOf => {
  const files = new Set([...a.files, ...b.files]);
  const absent = new Set([...a.absent, ...b.absent].filter((path) => !files.has(path)));
  return { files: [...files], absent: [...absent], programs: { ...a.programs, ...b.programs } };
};

const lineOf = ({ named }: TrustEntry): string =>
  named.kind !== 'command' ? '' : 'line' in named.run ? named.run.line : named.run.argv.join(' ');

const commandNames = (text: string): string[] =>
  text === ''
    ? []
    : commandsIn(text).commands.flatMap(({ words: [name = ''] }) => (/^[\w.+-]+$/.test(name) ? [name] : []));

const MOST_IN_PACKAGE = 200;
/** A package that a script imports by name: all of its files, or only its manifest if there are too many. */
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

function programsNamed(names: readonly string[], { env, cwd }: Around): Record<string, string> {
  return Object.fromEntries(
    [...new Set(names)].map((name) => [name, resolveOnPath(name, env['PATH'] ?? '', cwd)]),
  );
}
const isThere = (path: string): boolean => statusOf(path) !== undefined;
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // it cannot be reached: nothing is read there either
  }
}
