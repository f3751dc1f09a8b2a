/** What `xargs` puts into a command: the words on its input, where the text says them. */
import { type Input, NO_INPUT } from './outputs.ts';
import { fixedWord, HOLE, type ShellWord } from './word.ts';

/** A word with one of the input's put in the place that waits for it. */
export const fill = (word: ShellWord, token: string, { value, fixed }: ShellWord): ShellWord =>
  value === HOLE.value || !word.value.includes(token)
    ? word
    : { ...fixedWord(word.value.replaceAll(token, () => value)), fixed: word.fixed && fixed };

/** What xargs adds: the words on its input, where the text says them. */
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
