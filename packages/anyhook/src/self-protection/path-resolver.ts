/** Which guarded paths the words of a command line may name: in every folder the commands may run in, with every value a variable may have. */

import { dirname, resolve } from 'node:path';
import { toolPath } from '../events/tool-path.ts';
import type { ShellAct } from '../shell/act.ts';
import type { ShellAnalysis } from '../shell/analyse.ts';
import { enteredFolder, madeLink, optionFolders, startsAtHome } from '../shell/path-uses.ts';
import type { ShellAssignment } from '../shell/read-script.ts';
import type { ShellWord } from '../shell/word.ts';
import { fold, isBelow } from './compare-paths.ts';
import type { GuardedNames } from './guarded-names.ts';
import type { GuardedTree, Touch } from './guarded-tree.ts';
import { BELOW_A_DESCRIPTOR, type FileIdentity } from './identity.ts';
import { mountsOf, namesFolder } from './mounts.ts';

/** What self-protection knows while it judges one tool call. */
export interface GuardedCall {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly look: FileIdentity;
  readonly guarded: GuardedTree;
  /** Where our own program is installed. */
  readonly code: readonly string[];
  readonly names: GuardedNames;
}

/** A command line under judgement. */
export interface JudgedLine {
  readonly text: string;
  readonly analysis: ShellAnalysis;
  /** The acts that do more than read, each once. */
  readonly changes: readonly ShellAct[];
  readonly resolver: PathResolver;
  readonly context: GuardedCall;
}

/** `unclear`: run time completes the path, and the known part leads to the folder of a guarded path. */
export type WordTouch = Touch | 'unclear';

/** Characters by which a shell looks files up. */
const PATTERN = /[*?[{]|[@!+]\(/;
/** How many paths one command line may look up on disk. */
const MAX_LOOKUPS = 2_000;
const MAX_FOLDERS = 16;
/** Code in another language that changes its working folder. */
const CHANGES_FOLDER = /\b(?:os\.chdir|process\.chdir|Dir\.chdir|Deno\.chdir|chdir)\s*[( ]/;

export class PathResolver {
  /** Every folder that a command may run in. */
  readonly folders: readonly string[];
  readonly #context: GuardedCall;
  readonly #settings: readonly ShellAssignment[];
  readonly #variables: Variables;
  /** Folders that the text itself mounts or links elsewhere. */
  readonly #mappings: readonly { readonly from: string; readonly to: string }[];
  readonly #dotglob: boolean;
  /** The working folder of some command is unknown. */
  #isLost: boolean;
  #lookups = 0;
  readonly #touches = new Map<string, WordTouch | undefined>();

  constructor({ acts, settings }: ShellAnalysis, text: string, context: GuardedCall) {
    this.#context = context;
    this.#settings = settings;
    this.#variables = new Variables(acts, settings, text, context);
    this.#dotglob = /dotglob/.test(text);
    this.#isLost = CHANGES_FOLDER.test(text);
    this.folders = this.#foldersEntered(acts);
    const mounts = acts.flatMap(mountsOf).filter((mount) => mount.isWritable && namesFolder(mount));
    this.#mappings = [...mounts, ...acts.flatMap((act) => madeLink(act) ?? [])];
  }

  /** There were more paths or values than the limits allow, so some were not looked up. */
  get isCut(): boolean {
    return this.#lookups > MAX_LOOKUPS || this.#variables.isCut;
  }

  touch(word: ShellWord): WordTouch | undefined {
    const key = `${word.fixed} ${word.text} ${word.value}`;
    if (!this.#touches.has(key)) this.#touches.set(key, this.#touchOf(word));
    return this.#touches.get(key);
  }

  /** The values of a word, as far as the text says. */
  spellings(word: ShellWord): readonly string[] {
    // The shell has expanded the `~` in a value that comes from a loop or a variable.
    const isWhole = word.fixed && !(word.value.startsWith('~') && /^[~$]/.test(word.text.replace(/^"/, '')));
    const found = isWhole ? [word.value] : this.#variables.expand(word.value);
    return this.#mappings.length === 0 ? found : [...found, ...found.flatMap((path) => this.#mapped(path))];
  }

  /** The absolute paths of a text, one per folder. */
  placesOf(path: string): string[] {
    return this.folders.map((folder) => resolve(folder, path));
  }

  places(word: ShellWord): string[] {
    return this.spellings(word).flatMap((path) => this.placesOf(path));
  }

  /** The word names a path outside the working folder that is not above it either. */
  isElsewhere(word: ShellWord): boolean {
    const { cwd } = this.#context;
    return this.places(word).some((place) => !isBelow(place, cwd) && !place.startsWith(`${cwd}/`));
  }

  /** Each `cd` may have been executed or not. */
  #foldersEntered(acts: readonly ShellAct[]): readonly string[] {
    const { cwd, home, look } = this.#context;
    const folders = [cwd];
    const searchPath = this.#variables
      .valuesOf('CDPATH')
      .flatMap((list) => list.split(':').filter((folder) => folder !== ''));
    const enter = (to: string, from: readonly string[]): void => {
      for (const path of this.#variables.expand(to))
        if (/[$`*?[{]/.test(path) || path === '-' || folders.length > MAX_FOLDERS) this.#isLost = true;
        else folders.push(...from.map((folder) => resolve(folder, path)));
    };
    for (const act of acts) {
      for (const folder of optionFolders(act)) enter(folder, [...folders]);
      const to = enteredFolder(act);
      if (to !== undefined)
        enter(to.value, [...folders, ...searchPath.flatMap((folder) => this.#variables.expand(folder))]);
      else if (act.program === 'cd' || startsAtHome(act)) folders.push(home);
    }
    return [...new Set([...folders, ...folders.map((folder) => look.really(folder))])];
  }

  /** A path inside a container, or through a link, is also the path that was mounted or linked there. */
  #mapped(path: string): string[] {
    return this.#mappings
      .filter(({ to }) => to !== '' && (path === to || path.startsWith(`${to.replace(/\/$/, '')}/`)))
      .flatMap(({ from, to }) =>
        this.#variables.expand(from).map((place) => `${place}/${path.slice(to.length)}`),
      );
  }

  #touchOf(word: ShellWord): WordTouch | undefined {
    // Another program (`find`, `xargs`) replaces this word; its own words are judged.
    if (word.value === '{}' && !word.fixed) return undefined;
    const touches = this.spellings(word).flatMap((whole) =>
      pathsInWord(whole)
        .flatMap((path, nth) => (nth > 0 && path.startsWith('~') ? this.#withHome(path) : [path]))
        .map((path) => {
          // A shell looks files up by the whole word, so a part of it is a pattern only if it is expanded first.
          const isPlain = word.fixed || (path !== whole && !/[$`{]/.test(path));
          return isPlain ? this.#touchPath(path) : this.#touchExpanded(path);
        }),
    );
    return ORDER.find((touch) => touches.includes(touch));
  }

  /** Bash expands `~` after an equals sign or a colon too: `dd of=~/x`. */
  #withHome(path: string): readonly string[] {
    return [path, ...this.#variables.expand(path)];
  }

  #touchPath(path: string): WordTouch | undefined {
    return this.#touchEverywhere(path, (folder) => this.#context.look.touches(path, folder));
  }

  /** A word that the shell expands: variables that are still unknown, or a pattern of file names. */
  #touchExpanded(path: string): WordTouch | undefined {
    if (/[$`]/.test(path)) return this.#touchUnknown(path);
    if (!PATTERN.test(path)) return this.#touchPath(path);
    const { guarded, names } = this.#context;
    const isLost = this.#isLost && !path.startsWith('/');
    if (isLost && !names.ends(path) && names.mayEnd(path)) return 'unclear';
    return this.#touchEverywhere(path, (folder) =>
      guarded.touchPattern(resolve(folder, path), { dotglob: this.#dotglob }),
    );
  }

  #touchEverywhere(path: string, touchFrom: (folder: string) => Touch | undefined): Touch | undefined {
    if (BELOW_A_DESCRIPTOR.test(path)) return 'inside';
    if (this.#isLost && !path.startsWith('/') && this.#context.names.ends(path)) return 'inside';
    if ((this.#lookups += this.folders.length) > MAX_LOOKUPS) return undefined;
    const touches = this.folders.map(touchFrom);
    return ORDER.find((touch): touch is Touch => touches.includes(touch as Touch));
  }

  /** The part before the first expansion is known, and perhaps the values that the text itself assigns. */
  #touchUnknown(path: string): WordTouch | undefined {
    const { cwd, look, names } = this.#context;
    if (names.within(path) || names.begunBy(path)) return 'inside';
    if (isPrinted(path, this.#settings)) return 'unclear';
    const values = modifiedVariables(path)
      .flatMap((name) => this.#variables.valuesOf(name))
      .flatMap((value) => this.#variables.expand(value));
    if (values.some((value) => names.within(value))) return 'inside';
    if (values.some((value) => value.includes('/') && look.touches(dirname(value), cwd) !== undefined))
      return 'unclear';
    const lead = path.slice(0, path.search(/[$`]/));
    if (!lead.includes('/')) return undefined;
    const folder = resolve(cwd, lead.slice(0, lead.lastIndexOf('/') + 1));
    return folder !== cwd && look.touches(folder, cwd) !== undefined ? 'unclear' : undefined;
  }
}

const ORDER: readonly (WordTouch | undefined)[] = ['inside', 'above', 'unclear'];

/** A path may follow an option (`--output=x`, `-ox`, `of=x`), an `@` or a host (`box:x`), or be part of a list. */
function pathsInWord(value: string): string[] {
  const found = [value];
  const equals = value.indexOf('=');
  if (equals > 0) found.push(value.slice(equals + 1));
  if (/^-[a-zA-Z]./.test(value)) found.push(value.slice(2));
  if (value.startsWith('@')) found.push(value.slice(1));
  if (value.includes(':')) found.push(...value.split(':'));
  return found.filter((path) => path !== '' && fold(path) !== '');
}

/** Programs that turn letters into others; such output can hide a name. */
const CONVERTERS =
  /\b(?:printf|base64|base32|xxd|od|rev|tr|openssl|awk|sed|perl|python\d?|node|ruby|echo\s+-\w*e)\b/;
/** The word, or a variable in it, is the output of such a program. */
function isPrinted(path: string, settings: readonly ShellAssignment[]): boolean {
  if (/\$\(|`/.test(path)) return CONVERTERS.test(path);
  const variable = /\$\{?(\w+)/.exec(path)?.[1];
  return settings.some(
    ({ name, value }) => name === variable && /\$\(|`/.test(value.text) && CONVERTERS.test(value.text),
  );
}

/** Variables of which only a part, or another spelling, is used: `${p%X}`, `${p/a/b}`, `${p:0:9}`. */
const modifiedVariables = (path: string): string[] =>
  [...path.matchAll(/\$\{(\w+)(?:[%#/^,@]|:\d)/g)].map(([, name]) => name!);

const MAX_VALUES = 256;
const MAX_VALUE_LENGTH = 4096;
/** A variable may contain another one. */
const MAX_DEPTH = 4;
const VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;
/** `${XDG_CONFIG_HOME:-$HOME/.config}` */
const DEFAULTED = /\$\{(\w+):?[-=]([^{}]*)\}/g;
const LOOP = /\b(?:for|select)\s+(\w+)\s+in\s+([^;\n]+)/g;

/** The values that a command line itself gives to variables, loops included. */
class Variables {
  /** Some word had more values than the limit. */
  isCut = false;
  readonly #values = new Map<string, Set<string>>();
  readonly #locations: { readonly cwd: string; readonly home: string };

  constructor(
    acts: readonly ShellAct[],
    settings: readonly ShellAssignment[],
    text: string,
    locations: { readonly cwd: string; readonly home: string },
  ) {
    this.#locations = locations;
    this.#add('HOME', locations.home);
    this.#add('PWD', locations.cwd);
    // `$_` is the last word of some earlier command.
    if (/\$(?:_\b|\{_\})/.test(text))
      this.#add('_', ...acts.flatMap(({ words }) => words.at(-1)?.value ?? []));
    for (const { name, value } of settings) this.#add(name, value.value);
    for (const [, name, words] of text.matchAll(LOOP))
      this.#add(name!, ...words!.replaceAll(/["']/g, '').trim().split(/\s+/));
  }

  #add(name: string, ...values: readonly string[]): void {
    this.#values.set(name, new Set([...(this.#values.get(name) ?? []), ...values]));
  }

  valuesOf(name: string): readonly string[] {
    return [...(this.#values.get(name) ?? [])];
  }

  /** Every text that a word may become. A variable without a known value keeps its spelling. */
  expand(word: string): readonly string[] {
    const { cwd } = this.#locations;
    let found = [
      word
        .replace(/^\/proc\/(?:\$\$|\$PPID|\$\{\$\})\/cwd/, cwd)
        .replaceAll(DEFAULTED, (_, name: string, other: string) =>
          this.#values.has(name) ? `\${${name}}` : other,
        ),
    ];
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const names = variablesIn(found).filter((name) => this.#values.has(name));
      if (names.length === 0) break;
      for (const name of names) {
        const next = new Set(
          found.flatMap((text) => this.valuesOf(name).map((value) => replaceVariable(text, name, value))),
        );
        if (next.size > MAX_VALUES) this.isCut = true;
        found = [...next].slice(0, MAX_VALUES);
      }
    }
    return found.map((text) =>
      /^~\+?(?=\/|$)/.test(text) ? toolPath(text.replace(/^~\+/, '.'), this.#locations) : text,
    );
  }
}

const variablesIn = (texts: readonly string[]): string[] => [
  ...new Set(
    texts.flatMap((text) => [...text.matchAll(VARIABLE)].map(([, braced, plain]) => braced ?? plain!)),
  ),
];

const replaceVariable = (text: string, name: string, value: string): string =>
  text
    .replaceAll(VARIABLE, (whole, braced, plain) => ((braced ?? plain) === name ? value : whole))
    .slice(0, MAX_VALUE_LENGTH);
