/** Which guarded paths the words of a command line may mean: every folder it may be in, every value a word may have. */
import { dirname, resolve } from 'node:path';
import type { Input } from '../shell/outputs.ts';
import type { ShellAssignment } from '../shell/read-script.ts';
import type { ShellWord } from '../shell/word.ts';
import { changesFolder, goesTo, linkOf, startsAtHome, type CommandWords } from './commands.ts';
import { fold } from './fold.ts';
import type { GuardedTree, Touch } from './guarded-tree.ts';
import { BELOW_A_DESCRIPTOR, type FileIdentity } from './identity.ts';
import { isFolder, mountsOf } from './mounts.ts';
import type { Names } from './names.ts';
import { type ShellVariables, variablesIn } from './variables.ts';

export interface Terms {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly look: FileIdentity;
  readonly guarded: GuardedTree;
  /** Where our own program lies. */
  readonly code: readonly string[];
  readonly names: Names;
}

/** `unclear`: it is put together at run time, and what is known of it leads to where something guarded lies. */
export type Meaning = Touch | 'unclear';

export interface PathSight {
  /** Every folder the commands may find themselves in. */
  readonly folders: readonly string[];
  meaning(word: ShellWord): Meaning | undefined;
  /** Its values, as far as the text itself gives them. */
  spelled(word: ShellWord): readonly string[];
  /** It is a place outside the working folder, and not around it. */
  isElsewhere(word: ShellWord): boolean;
  /** There was more to look up than is looked up: what was said of the words is not all. */
  readonly isCut: () => boolean;
}

export interface ReadCommand {
  readonly words: readonly ShellWord[];
  readonly said: CommandWords;
  readonly input?: Input;
}

export function pathSightOf(
  read: readonly ReadCommand[],
  settings: readonly ShellAssignment[],
  text: string,
  terms: Terms,
): PathSight {
  const { look: at, guarded, names } = terms;
  const lastWords = read.flatMap(({ words }) => words.at(-1)?.value ?? []);
  const variables = variablesIn(settings, text, terms, lastWords);
  const { folders, isLost } = foldersWalked(read, variables, text, terms);
  let looks = 0;
  const dots = /dotglob/.test(text);
  const touchOne = (said: string, kind: 'pattern' | 'plain'): Meaning | undefined => {
    const isPattern = kind === 'pattern';
    if (/[$`]/.test(said) && isPattern) return unsettled(said);
    if (BELOW_A_DESCRIPTOR.test(said)) return 'inside';
    if (isLost && !said.startsWith('/') && names.ends(said)) return 'inside';
    if (isLost && !said.startsWith('/') && isPattern && GLOB.test(said) && names.mayEnd(said))
      return 'unclear';
    if ((looks += folders.length) > MOST_LOOKS) return undefined;
    return strongest(
      folders.map((cwd) =>
        isPattern && GLOB.test(said)
          ? guarded.touchPattern(resolve(cwd, said), { dotglob: dots })
          : at.touches(said, cwd),
      ),
    );
  };
  /** What stands before the first expansion is known; whether the rest is set in this very text, too. */
  const unsettled = (said: string): Meaning | undefined => {
    if (names.within(said) || names.begunBy(said)) return 'inside';
    const lead = said.slice(0, said.search(/[$`]/));
    if (isMade(said, settings)) return 'unclear';
    const reshaped = reshapedIn(said).flatMap((name) => variables.valuesOf(name).flatMap(variables.expand));
    if (reshaped.some((value) => names.within(value))) return 'inside';
    if (reshaped.some((value) => value.includes('/') && at.touches(dirname(value), terms.cwd) !== undefined))
      return 'unclear';
    if (!lead.includes('/')) return undefined;
    const folder = resolve(terms.cwd, lead.slice(0, lead.lastIndexOf('/') + 1));
    return folder !== terms.cwd && at.touches(folder, terms.cwd) !== undefined ? 'unclear' : undefined;
  };
  const mounts = read.flatMap(({ said }) => mountsOf(said)).filter((one) => one.isWritable && isFolder(one));
  const links = read.flatMap(({ said }) => linkOf(said) ?? []);
  const ways = [...mounts, ...links];
  /** A path inside a container, or through a link, is also the one that was put there. */
  const throughWays = (said: string): string[] =>
    ways
      .filter(({ to }) => to !== '' && (said === to || said.startsWith(`${to.replace(/\/$/, '')}/`)))
      .flatMap(({ from, to }) => variables.expand(from).map((place) => `${place}/${said.slice(to.length)}`));
  // A value that a loop or a variable brings has had its `~` read by the shell before.
  const spelled = (word: ShellWord): readonly string[] => {
    const isWhole = word.fixed && !(word.value.startsWith('~') && /^[~$]/.test(word.text.replace(/^"/, '')));
    const found = isWhole ? [word.value] : variables.expand(word.value);
    return ways.length === 0 ? found : [...found, ...found.flatMap(throughWays)];
  };
  /** Bash reads `~` behind an equals sign or a colon too: `dd of=~/x`. */
  const homeward = (said: string, nth: number): readonly string[] =>
    nth > 0 && said.startsWith('~') ? [said, ...variables.expand(said)] : [said];
  const meaningOf = (word: ShellWord): Meaning | undefined =>
    // What another program puts there (`find`, `xargs`) is judged where that program is.
    word.value === '{}' && !word.fixed
      ? undefined
      : strongest(
          spelled(word).flatMap((whole) =>
            candidates(whole)
              .flatMap(homeward)
              .map((said) =>
                // A shell looks for files by the whole word; a part of it is a pattern only to what spells it out before.
                touchOne(said, word.fixed || (said !== whole && !/[$`{]/.test(said)) ? 'plain' : 'pattern'),
              ),
          ),
        );
  /** Texts repeat their words, and each costs a look at the disk. */
  const known = new Map<string, Meaning | undefined>();
  return {
    folders,
    spelled,
    isElsewhere: (word) =>
      spelled(word)
        .flatMap((said) => folders.map((folder) => resolve(folder, said)))
        .some(
          (place) =>
            !`${terms.cwd}/`.startsWith(`${place.replace(/\/$/, '')}/`) && !place.startsWith(`${terms.cwd}/`),
        ),
    isCut: () => looks > MOST_LOOKS || variables.isCut(),
    meaning(word) {
      const key = `${word.fixed} ${word.text} ${word.value}`;
      if (!known.has(key)) known.set(key, meaningOf(word));
      return known.get(key);
    },
  };
}

/** What a shell looks files up by. */
const GLOB = /[*?[{]|[@!+]\(/;

const ORDER: readonly (Meaning | undefined)[] = ['inside', 'above', 'unclear'];
export const strongest = <M extends Meaning>(found: readonly (M | undefined)[]): M | undefined =>
  ORDER.find((one): one is M => found.includes(one as M));

/** Text that a program writes is nobody's to foresee; one that only turns letters into others is used to hide a name. */
const MADE =
  /\b(?:printf|base64|base32|xxd|od|rev|tr|openssl|awk|sed|perl|python\d?|node|ruby|echo\s+-\w*e)\b/;
function isMade(said: string, settings: readonly ShellAssignment[]): boolean {
  if (/\$\(|`/.test(said)) return MADE.test(said);
  const name = /\$\{?(\w+)/.exec(said)?.[1];
  return settings.some(
    (one) => one.name === name && /\$\(|`/.test(one.value.text) && MADE.test(one.value.text),
  );
}

/** Variables of which only a part is meant, or another spelling: `${p%X}`, `${p/a/b}`, `${p:0:9}`. */
const reshapedIn = (said: string): string[] =>
  [...said.matchAll(/\$\{(\w+)(?:[%#/^,@]|:\d)/g)].map(([, name]) => name!);

/** Paths that are looked up on the disk for one command line. */
const MOST_LOOKS = 2_000;
const MOST_FOLDERS = 16;
/** Code in another language that goes somewhere by itself. */
const MOVING_CODE = /\b(?:os\.chdir|process\.chdir|Dir\.chdir|Deno\.chdir|chdir)\s*[( ]/;
/** Each `cd` may have been taken or not. */
function foldersWalked(
  read: readonly ReadCommand[],
  variables: ShellVariables,
  text: string,
  terms: Terms,
): { folders: readonly string[]; isLost: boolean } {
  const folders = [terms.cwd];
  const roots = variables.valuesOf('CDPATH').flatMap((list) => list.split(':').filter((root) => root !== ''));
  let isLost = MOVING_CODE.test(text);
  const go = (to: string, from: readonly string[]): void => {
    for (const path of variables.expand(to))
      if (/[$`*?[{]/.test(path) || path === '-' || folders.length > MOST_FOLDERS) isLost = true;
      else folders.push(...from.map((folder) => resolve(folder, path)));
  };
  for (const { said } of read) {
    for (const to of changesFolder(said)) go(to, [...folders]);
    const to = goesTo(said);
    if (to !== undefined) go(to, [...folders, ...roots.flatMap(variables.expand)]);
    else if (said.name === 'cd' || startsAtHome(said)) folders.push(terms.home);
  }
  const places = folders.map((folder) => terms.look.really(folder));
  return { folders: [...new Set([...folders, ...places])], isLost };
}

/** A path may stand behind an option (`--output=x`, `-ox`, `of=x`), an `@`, a host (`box:x`) or in a list. */
function candidates(value: string): string[] {
  const found = [value];
  const equals = value.indexOf('=');
  if (equals > 0) found.push(value.slice(equals + 1));
  if (/^-[a-zA-Z]./.test(value)) found.push(value.slice(2));
  if (value.startsWith('@')) found.push(value.slice(1));
  if (value.includes(':')) found.push(...value.split(':'));
  return found.filter((one) => one !== '' && fold(one) !== '');
}
