/** The files that commands run: how a command names them, what of them it runs, and where an act was found. */

import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { ScriptFile, ScriptFiles } from '../events/script-files.ts';
import type { Inner } from './inner.ts';

/** A file that a command runs. */
export interface RunFile {
  /** As the command names it. */
  readonly path: string;
  /** The folder in which the command looks for it, if an option names one. */
  readonly folder?: string;
  /** The program looks for it in the folders above, too. */
  readonly isSearchedUpward?: true;
  /** Which part of the file runs, such as a target of make. */
  readonly part?: string;
  /** The commands in the text of the file, or in the part of it that runs. */
  readonly read: (text: string) => Inner;
  /** The file is code of another language, whose commands are found by patterns. */
  readonly isGuess?: true;
  /** The folder is known only at run time. It may be that of the file that contains the command. */
  readonly isBeside?: true;
  /** The system starts the file itself, so a compiled program may be there. */
  readonly isStarted?: true;
}

/** Where an act was found that the command line itself does not contain. */
export interface ScriptPlace {
  readonly file: string;
  /** Counted from 1. */
  readonly line?: number;
  readonly isGuess?: true;
}

/** The file system around a command. */
export interface ScriptScene {
  readonly files: ScriptFiles;
  readonly cwd: string;
}

export const DEEPEST_SCRIPT = 3;
const MOST_SCRIPTS = 20;
/** All files together. */
const LONGEST_SCRIPTS = 1024 * 1024;
const MOST_FOLDERS = 4;
const MOST_ABOVE = 20;

/** Programs of the system and of packages are judged by their names. */
const INSTALLED =
  /^\/(?:usr|bin|sbin|lib\w*|opt|nix|snap|System|Library|Applications)\/|(?:^|\/)(?:node_modules|site-packages|\.venv|venv|vendor\/bundle|\.cargo\/bin|\.local\/bin|\.rustup|\.nvm|\.pyenv|\.volta)\//;
export const isInstalled = (path: string): boolean => INSTALLED.test(path);

export interface OpenedFile {
  readonly path: string;
  readonly file: ScriptFile;
}

/** Finds files from the folders in which a command may run. Records what was looked at. */
export class ScriptSearch {
  readonly #scene: ScriptScene;
  readonly #folders: string[];
  /** The files that were looked for, with their versions at that time. */
  readonly versions = new Map<string, string>();
  readonly #files = new Map<string, ScriptFile | undefined>();
  readonly #opened = new Set<string>();
  #length = 0;

  constructor(scene: ScriptScene) {
    this.#scene = scene;
    this.#folders = [scene.cwd];
  }

  /** A command changes the folder. The earlier folders stay possible: it may do so in a subshell, or fail. */
  enter(path: string): void {
    if (this.#folders.length > MOST_FOLDERS) return;
    const entered = this.#folders.map((folder) => resolve(folder, path));
    this.#folders.push(...entered.filter((folder) => !this.#folders.includes(folder)));
  }

  get isFull(): boolean {
    return this.#opened.size > MOST_SCRIPTS || this.#length > LONGEST_SCRIPTS;
  }

  /** `inside` is the file that contains the command. */
  open(run: RunFile, inside?: string): readonly OpenedFile[] {
    const found = new Map<string, ScriptFile>();
    const beside = run.isBeside === true && inside !== undefined ? [dirname(inside)] : [];
    for (const folder of isAbsolute(run.path) ? ['/'] : [...this.#folders, ...beside])
      for (const path of candidates(resolve(folder, run.folder ?? ''), run)) {
        const file = this.#read(path);
        if (file === undefined) continue;
        found.set(path, file);
        break;
      }
    for (const path of found.keys()) this.#opened.add(path);
    return [...found].map(([path, file]) => ({ path, file }));
  }

  #read(path: string): ScriptFile | undefined {
    if (this.versions.has(path)) return this.#files.get(path);
    const { files } = this.#scene;
    this.versions.set(path, files.versionOf(path));
    const file = files.read(path);
    this.#files.set(path, file);
    if (file?.kind === 'text') this.#length += file.text.length;
    return file;
  }
}

function candidates(folder: string, { path, isSearchedUpward }: RunFile): string[] {
  if (isSearchedUpward !== true) return [resolve(folder, path)];
  const paths: string[] = [];
  for (let at = folder; paths.length < MOST_ABOVE; at = dirname(at)) {
    paths.push(join(at, path));
    if (dirname(at) === at) break;
  }
  return paths;
}

/** The line of a text in its file. JSON holds texts with escapes. */
export function lineIn(file: string, text: string): number | undefined {
  const [first = ''] = text.trim().split('\n', 1);
  if (first === '') return undefined;
  for (const spelling of [first, JSON.stringify(first).slice(1, -1)]) {
    const at = file.indexOf(spelling);
    if (at !== -1) return file.slice(0, at).split('\n').length;
  }
  return undefined;
}

/** `t.sh:3`, for messages. */
function placeText({ file, line }: ScriptPlace, cwd: string): string {
  const below = relative(cwd, file);
  const path = below.startsWith('..') || isAbsolute(below) ? file : below;
  return line === undefined ? path : `${path}:${line}`;
}

/** The first line names an interpreter that is not a shell. */
export const isForeignScript = (text: string): boolean => /^#!(?!.*sh(?:\s|$)).+/.test(text);

/** What matched, for messages. Patterns found it if the file is not a shell script. */
export const foundText = (command: string, from: ScriptPlace, cwd: string): string =>
  `\`${command}\` in ${placeText(from, cwd)}${from.isGuess === true ? ' (a guess from its code)' : ''}`;

const LONGEST_PART = 12 * 1024;

/** Code in parts of a size that the search for calls takes, cut between lines. */
export function codeParts(text: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (const line of text.split('\n')) {
    if (part.length + line.length > LONGEST_PART && part !== '') {
      parts.push(part);
      part = '';
    }
    part += `${line}\n`;
  }
  return [...parts, part];
}
