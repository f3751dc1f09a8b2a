/** Commands that `find`, `fd` and `xargs` run on the files that they find or are given. */

import { type Inner, runs, unjudgeable } from './inner.ts';
import { type Input, NO_INPUT } from './outputs.ts';
import { HOLE, type ShellWord, withHole, fixedWord } from './word.ts';

const MOST_COMMANDS = 16;
const FIND = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const FD = new Set(['-x', '-X', '--exec', '--exec-batch']);

/** The words between `-exec` and `;` or `+`. `{}` is a name that only run time knows. */
export function unwrapFind(args: readonly ShellWord[], name: string): Inner {
  const isFind = name.endsWith('find') && name !== 'fdfind';
  const commands: ShellWord[][] = [];
  for (const [at, word] of args.entries()) {
    if (!(isFind ? FIND : FD).has(word.value)) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex(
      (next, place) => next.value === ';' || (next.value === '+' && rest[place - 1]?.value === '{}'),
    );
    const command = (end === -1 ? rest : rest.slice(0, end)).map((next) =>
      withHole(next, isFind ? '{}' : '{'),
    );
    if (commands.length >= MOST_COMMANDS)
      return unjudgeable(`${name} runs more than ${MOST_COMMANDS} commands`);
    commands.push(isFind ? command : [...command, HOLE]);
  }
  return runs(...commands);
}

/** Replaces the token in a word with a word from the input. */
export const fill = (word: ShellWord, token: string, { value, fixed }: ShellWord): ShellWord =>
  value === HOLE.value || !word.value.includes(token)
    ? word
    : { ...fixedWord(word.value.replaceAll(token, () => value)), fixed: word.fixed && fixed };

/** The words that xargs adds from its input, as far as the text says. */
export function appended(input: Input | undefined): ShellWord[] {
  if (input?.kind === 'elsewhere' && input.below !== undefined) return [...input.below.map(looseWord), HOLE];
  if (input?.kind !== 'text' || input === NO_INPUT) return [HOLE];
  const words = input.text.split(/[\s\0]+/).filter((word) => word !== '');
  return words.slice(0, MOST_APPENDED).map((word) => fixedWord(word.replaceAll(/['"\\]/g, '')));
}
const MOST_APPENDED = 64;
const looseWord = (value: string): ShellWord => ({
  ...HOLE,
  value,
  text: value,
  lead: /^[^$`*?]*/.exec(value)?.[0] ?? '',
});
