/**
 * Would this command line change something guarded? Read off its words: a program that names a guarded path and does
 * not only look is refused, in doubt too. What a program does by itself is out of sight here; see docs/library.md.
 */
import { resolve } from 'node:path';
import { look } from '../../canon/bash/commands-in.ts';
import type { ShellWord } from '../../canon/bash/word.ts';
import {
  decidesForThePerson,
  feeds,
  goesTo,
  onlyReads,
  takesAlong,
  takesCode,
  type Words,
  wordsOf,
} from './commands.ts';
import { fold } from './fold.ts';
import { globTouches } from './glob-touches.ts';
import type { FoldedNames, Look, Touch } from './identity.ts';
import type { Names } from './names.ts';

export interface Terms {
  readonly cwd: string;
  readonly home: string;
  readonly look: Look;
  readonly guarded: FoldedNames;
  readonly names: Names;
}

/** What is wrong with it; undefined when nothing is. */
export function shellObjection(text: string, terms: Terms): string | undefined {
  const { commands, settings, writes, unjudgeable } = look(text);
  const read = commands.map(({ words, input }) => ({ words, input, said: wordsOf(words) }));
  const sight = sightOf(read, text, terms);
  const target = writes.find((word) => sight.touch(word) === 'inside');
  if (target !== undefined) return `it writes to ${target.text}`;
  const acts = read.filter(({ said }) => !onlyReads(said));
  for (const { words, input, said } of acts) {
    if (decidesForThePerson(said)) return `\`${said.name} ${said.args[0]}\` is for a person to run`;
    if (takesCode(said) && input?.kind === 'text' && terms.names.within(input.text))
      return `${said.name} is given code that names it`;
    const named = words
      .slice(1)
      .find(
        (word, at) =>
          isHit(sight.touch(word), said, at) || (takesCode(said) && terms.names.within(word.value)),
      );
    if (named !== undefined) return `${said.name} is given ${named.text}`;
  }
  if (acts.length > 0 && settings.some(({ value }) => sight.touch(value) === 'inside'))
    return 'a variable names it';
  const isHidden = unjudgeable.length > 0 || (acts.length > 0 && read.some(({ said }) => feeds(said)));
  return isHidden && terms.names.within(text)
    ? (unjudgeable[0] ?? 'it is named to a program that acts')
    : undefined;
}

const isHit = (touch: Touch | undefined, said: Words, at: number): boolean =>
  touch === 'inside' || (touch === 'above' && takesAlong(said).includes(at));

interface Sight {
  touch(word: ShellWord): Touch | undefined;
}

function sightOf(read: readonly { readonly said: Words }[], text: string, terms: Terms): Sight {
  const { look: at, guarded, names } = terms;
  const { folders, isLost } = foldersWalked(read, terms);
  const dots = /dotglob/.test(text);
  const touchOne = (said: string, isPattern: boolean): Touch | undefined => {
    if (/[$`]/.test(said) && isPattern)
      return names.within(said) || names.begunBy(said) ? 'inside' : undefined;
    if (isLost && !said.startsWith('/') && names.ends(said)) return 'inside';
    const touches = folders.map((cwd) =>
      isPattern && /[*?[{]/.test(said)
        ? globTouches(resolve(cwd, said), guarded, dots)
        : at.touches(said, cwd),
    );
    return touches.find((touch) => touch === 'inside') ?? touches.find((touch) => touch !== undefined);
  };
  return {
    touch(word) {
      const touches = candidates(expanded(word, terms)).map((said) => touchOne(said, !word.fixed));
      return touches.find((touch) => touch === 'inside') ?? touches.find((touch) => touch !== undefined);
    },
  };
}

const MOST_FOLDERS = 16;
/** Every folder the commands may find themselves in: each `cd` may have been taken or not. */
function foldersWalked(
  read: readonly { readonly said: Words }[],
  terms: Terms,
): { folders: readonly string[]; isLost: boolean } {
  const folders = [terms.cwd];
  let isLost = false;
  for (const { said } of read) {
    const to = goesTo(said);
    if (to === undefined) {
      if (said.name === 'cd') folders.push(terms.home);
      continue;
    }
    const path = spelledOut(to, terms);
    if (/[$`*?[{]/.test(path) || path === '-' || folders.length > MOST_FOLDERS) isLost = true;
    else folders.push(...folders.map((folder) => resolve(folder, path)));
  }
  const places = folders.map((folder) => terms.look.really(folder));
  return { folders: [...new Set([...folders, ...places])], isLost };
}

const expanded = (word: ShellWord, terms: Terms): string =>
  word.fixed && !word.text.startsWith('~') ? word.value : spelledOut(word.value, terms);
const spelledOut = (text: string, { cwd, home }: Terms): string =>
  text
    .replace(/^~(?=\/|$)/, home)
    .replaceAll(/\$\{?HOME\}?(?![\w}])/g, home)
    .replaceAll(/\$\{?PWD\}?(?![\w}])/g, cwd)
    .replace(/^\/proc\/(?:\$\$|\$PPID|\$\{\$\})\/cwd/, cwd);

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
