/** Opens the commands in the options of `running-options.ts`. */

import { codeIn } from './code-in.ts';
import { type ScriptAround, fromFile, type Inner, runs, runsText, combine } from './inner.ts';
import { looseIn } from './loose-text.ts';
import type { RunningOption } from './running-options.ts';
import { fixedWord, type ShellWord } from './word.ts';

export function unwrapOption(
  row: RunningOption,
  args: readonly ShellWord[],
  name: string,
  around: ScriptAround,
): Inner {
  return combine(
    ...args.flatMap((arg, at) => {
      const value = valueOf(row, arg, args[at + 1], at === 0);
      if (value === undefined) return [];
      const text = row.strip === undefined || !value.fixed ? value : cut(value, row.strip);
      return text.value === '' ? [] : [readAs(row, text, name, around)];
    }),
  );
}

function readAs({ as }: RunningOption, word: ShellWord, name: string, around: ScriptAround): Inner {
  switch (as) {
    case 'shell':
      return runsText(word);
    case 'loose':
      return looseIn(word.value, name);
    case 'list':
      return runs(
        word.value.split(',').map((part) => (word.fixed ? fixedWord(part) : { ...word, value: part })),
      );
    case 'make':
      return codeIn(word.value, 'make', name);
    case 'file':
      // `task-files.ts` reads the targets of a Makefile on disk.
      return /make|ninja/.test(name)
        ? { ...fromFile(word, around, name, (text) => codeIn(text, 'make', name)), files: [] }
        : fromFile(word, around, name, (text) => looseIn(text, name), { isGuess: true });
  }
}

const cut = (word: ShellWord, strip: RegExp): ShellWord =>
  word.value.replace(strip, '') === word.value ? word : fixedWord(word.value.replace(strip, ''));

/** The value of the option in this word, or the word itself if the row lists words. */
function valueOf(
  { long, known, short, words }: RunningOption,
  word: ShellWord,
  next: ShellWord | undefined,
  isFirst: boolean,
): ShellWord | undefined {
  if (words?.test(word.value)) return /^-[\w-]+$/.test(word.value) ? next : word;
  if (word.value.startsWith('--')) {
    const [, name = '', value] = /^--([\w-]+)(?:=(.*))?$/s.exec(word.value) ?? [];
    const isKnown = (known ?? '').split(' ').includes(name);
    const begins = name.length >= 2 && (long ?? '').split(' ').some((option) => option.startsWith(name));
    if (isKnown || !begins) return undefined;
    return value === undefined ? next : word.fixed ? fixedWord(value) : { ...word, value };
  }
  // The first word of `tar xIf` is a cluster without a dash.
  if (
    short === undefined ||
    !(word.value.startsWith('-') || (isFirst && /^[cxtru][a-zA-Z]+$/.test(word.value)))
  )
    return undefined;
  const at = [...word.value].findIndex((char, place) => place > 0 && short.includes(char));
  if (at === -1 || !/^-?[a-zA-Z]*$/.test(word.value.slice(0, at))) return undefined;
  const rest = word.value.slice(at + 1);
  if (!word.value.startsWith('-') || rest === '') return next;
  return word.fixed ? fixedWord(rest) : { ...word, value: rest };
}
