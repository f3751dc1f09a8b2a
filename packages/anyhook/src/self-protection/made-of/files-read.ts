/**
 * The data files that a guard reads by a literal name: deny lists, rules, folders of rules. Excludes files that the guard writes
 * itself, such as logs, and files of the project, which the agent may change.
 */

import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { analyseShell } from '../../shell/analyse.ts';

export interface GuardText {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly isShell: boolean;
}
interface Around {
  readonly cwd: string;
  readonly home: string;
}

const LARGEST = 4 * 1024 * 1024;
/** Longer texts are bundles, which are not read. */
const LONGEST_TEXT = 256 * 1024;
const MOST_IN_FOLDER = 200;
const SYSTEM = /^\/(?:bin|sbin|usr|lib\w*|nix|System|Library|etc|dev|proc|sys)(?:\/|$)/;
/** Files that change during normal use. */
const CHANGING = /\.(?:log|jsonl|db|sqlite\d?|lock|pid|tmp|sock|out|cache|bak)$/i;

/** Absolute paths. A path that ends with a slash is a folder, of which the names matter. */
export function filesRead(code: GuardText, around: Around): string[] {
  if (code.text.length > LONGEST_TEXT) return [];
  const isWritten = writtenIn(code);
  const listsFolders = code.isShell || LISTS_FOLDER.test(code.text);
  const found = [...new Set(namesIn(code).flatMap((name) => pathsOf(name, code.path, around)))]
    .filter((path) => path !== code.path && !SYSTEM.test(path) && !CHANGING.test(path))
    .map((path) => ({ path, kind: kindOf(path) }));
  return found.flatMap(({ path, kind }) => {
    if (kind === undefined || isWritten(basename(path))) return [];
    if (kind === 'file') return [path];
    // A folder directly in the home folder contains work rather than rules.
    const isList = dirname(path) !== around.home && !holds(path, [around.home, around.cwd, code.path]);
    return listsFolders && isList ? folderFiles(path) : [];
  });
}

interface NamedPath {
  readonly name: string;
  /** The line also mentions the home folder. */
  readonly isAtHome: boolean;
}
const WORD = /[\w./~$@{}+*-]{2,300}/g;
const QUOTED = /(["'`])([\w./@+-]{1,200})\1/g;
const HOME = /~|home|expanduser/i;
/** Longer lines are minified code, which is not read. */
const LONGEST_LINE = 2000;
const MOST_LITERALS = 12;

function namesIn({ text, isShell }: GuardText): NamedPath[] {
  const variables = isShell ? shellVariables(text) : new Map<string, string>();
  return text.split('\n').flatMap((line) => {
    if (line.length > LONGEST_LINE) return [];
    const words = [...line.matchAll(WORD)]
      .map(([word]) => withVariables(word, variables))
      .filter((word) => /[/.]/.test(word) && /\w/.test(word));
    const quoted = [...line.matchAll(QUOTED)].map(([, , literal = '']) => literal);
    const isAtHome = HOME.test(line);
    return [...words, ...joinedLiterals(quoted.slice(0, MOST_LITERALS))].map((name) => ({ name, isAtHome }));
  });
}
const shellVariables = (text: string): Map<string, string> =>
  new Map(
    analyseShell(text).settings.map(
      ({ name, value }) => [name, value.value.replace(/^\w+\+?=/, '')] as const,
    ),
  );
const withVariables = (word: string, variables: ReadonlyMap<string, string>): string =>
  word.replace(/^\$\{?(\w+)\}?(?=\/|$)/, (whole, name: string) => variables.get(name) ?? whole);

/** `join(home, 'guards', 'deny.txt')`: adjacent literals form a path. */
const joinedLiterals = (literals: readonly string[]): string[] =>
  literals.flatMap((_, from) =>
    literals.slice(from).map((_one, length) => literals.slice(from, from + length + 1).join('/')),
  );

/** Relative to the script's folder, and to the home folder if the line mentions it. */
function pathsOf({ name, isAtHome }: NamedPath, script: string, { home }: Around): string[] {
  const path = name.replace(/\/\*.*$/, '');
  if (/^(?:~|\$\{?HOME\}?)\//.test(path)) return [join(home, path.slice(path.indexOf('/')))];
  const near = path.replace(/^(?:\$\{?\w+)?[{}+]*\/+/, '');
  if (near === '' || near === '.' || near === '..') return [];
  return [
    ...(path.startsWith('/') ? [path] : []),
    resolve(dirname(script), near),
    ...(isAtHome ? [resolve(home, near)] : []),
  ];
}

const LISTS_FOLDER = /readdir|listdir|scandir|iterdir|glob|\bwalk\b|opendir|Dir\b|\bfind\b|run-parts/;
const WRITING_COMMANDS =
  /^(?:tee|sponge|mv|cp|install|touch|truncate|rm|rmdir|mkdir|mktemp|ln|rsync|dd|logger|sqlite3|flock)$/;
const WRITING_CALLS =
  /write|append|dump|mkdir|makedirs|rename|unlink|remove|copyFile|shutil|touch|logging|FileHandler|sqlite|connect|>>|open\w*\([^)\n]*,\s*(?:mode\s*=\s*)?["'`][wax]|\.open\(\s*(?:mode\s*=\s*)?["'][wax]|\b(?:save|store|persist|update|log)\w*\(|["'`]\s*>/i;
/** Output to the caller, not to a file. */
const TO_CALLER = /(?:stdout|stderr)(?:\.buffer)?\.write|console\.\w+|writeHead/g;
const ASSIGNED = /\b(\w+)\s*=(?![=>])/;

/** Whether the code writes the file with this name, directly or through variables: `STATE=~/state.json`, then `date > "$STATE"`. */
function writtenIn({ text, isShell }: GuardText): (name: string) => boolean {
  const lines = text.split('\n');
  const writing = isShell
    ? shellWrites(text)
    : lines.filter((line) => WRITING_CALLS.test(line.replaceAll(TO_CALLER, '')));
  const assigned = lines.flatMap((line) => {
    const variable = ASSIGNED.exec(line)?.[1];
    return variable === undefined ? [] : [{ variable, line }];
  });
  return (name) => {
    const known = new Set<string>();
    const pending = [name];
    for (let word = pending.pop(); word !== undefined; word = pending.pop()) {
      if (known.has(word)) continue;
      known.add(word);
      if (writing.some((line) => names(line, word))) return true;
      for (const { variable, line } of assigned) if (names(line, word)) pending.push(variable);
    }
    return false;
  };
}
/** Whether the line contains the word, but not as part of a longer one. */
function names(line: string, word: string): boolean {
  for (let at = line.indexOf(word); at !== -1; at = line.indexOf(word, at + 1))
    if (!/\w/.test(line[at - 1] ?? '') && !/\w/.test(line[at + word.length] ?? '')) return true;
  return false;
}
function shellWrites(text: string): string[] {
  const { writes, acts } = analyseShell(text);
  return [
    ...writes.map(({ text: written }) => written),
    ...acts.flatMap(({ words: [program, ...args] }) =>
      WRITING_COMMANDS.test(program?.value ?? '') ||
      (program?.value === 'sed' && args.some(({ value }) => /^-\w*i|^--in-place/.test(value)))
        ? args.map(({ text: written }) => written)
        : [],
    ),
  ];
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) return 'folder';
    return found?.isFile() === true && found.size < LARGEST ? 'file' : undefined;
  } catch {
    return undefined; // it cannot be reached: nothing is read there either
  }
}
const holds = (folder: string, paths: readonly string[]): boolean =>
  paths.some((path) => `${path}/`.startsWith(`${folder}/`));

/** The folder and its files; only the folder if there are too many files. */
function folderFiles(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    const files = entries.length > MOST_IN_FOLDER ? [] : entries.map(({ name }) => join(folder, name));
    return [`${folder}/`, ...files];
  } catch {
    return [];
  }
}
