import type { Input } from './outputs.ts';
import type { Values } from './values.ts';
import { clip, type ShellWord } from './word.ts';

/** What a command runs besides itself. */
export interface Inner {
  readonly commands: readonly (readonly ShellWord[])[];
  readonly texts: readonly InnerText[];
  /** `NAME=value` words of the command. */
  readonly settings?: readonly ShellWord[];
  readonly unjudgeable: readonly string[];
  /** It runs what these programs fetch. */
  readonly fetched?: readonly string[];
}

export interface InnerText {
  readonly text: string;
  /** Of `other` (zsh, ksh) only what bash reads alike is judged; `foreign` has a syntax of its own. */
  readonly shell: 'bash' | 'other' | 'foreign';
  /** A word that holds this is completed at run time. */
  readonly hole?: string;
  /** It only looks like shell text: where it is none, that is no doubt. */
  readonly isGuess?: true;
}

/** What a command finds around it: its input, and what the text says about variables and files. */
export interface ScriptAround {
  readonly input?: Input;
  readonly values: Values;
}

export const NOTHING: Inner = { commands: [], texts: [], unjudgeable: [] };

export const unjudgeable = (...reasons: string[]): Inner => ({ ...NOTHING, unjudgeable: reasons });

export const runs = (...commands: (readonly ShellWord[])[]): Inner => ({
  ...NOTHING,
  commands: commands.filter((words) => words.length > 0),
});

/**
 * A word that is shell text. What is put in at run time is taken for a word of it, as its place says: in the place of a
 * command's name it makes that command unjudgeable.
 */
export function runsText(word: ShellWord, hole?: string): Inner {
  if (word.content?.kind === 'made')
    return made(word.content, `shell text is made at run time, by ${word.content.by}: ${clip(word.text)}`);
  if (word.content?.kind === 'elsewhere') return NOTHING;
  const text = word.content?.text ?? word.value;
  return { ...NOTHING, texts: [{ text, shell: 'bash', ...(hole === undefined ? {} : { hole }) }] };
}

/** A word that a program may hand to a shell. */
export const mayRunText = (word: ShellWord): Inner => ({
  ...NOTHING,
  texts: [{ text: word.value, shell: 'bash', isGuess: true }],
});

export const together = (...parts: readonly Inner[]): Inner => ({
  commands: parts.flatMap((part) => part.commands),
  texts: parts.flatMap((part) => part.texts),
  settings: parts.flatMap((part) => part.settings ?? []),
  unjudgeable: parts.flatMap((part) => part.unjudgeable),
  fetched: parts.flatMap((part) => part.fetched ?? []),
});

export const made = ({ by, fetched }: Extract<Input, { kind: 'made' }>, why: string): Inner => ({
  ...unjudgeable(why),
  ...(fetched && { fetched: [by] }),
});

/** The program that stands on the input, as `read` understands it. */
export function fromInput(input: Input | undefined, name: string, read: (text: string) => Inner): Inner {
  if (input === undefined) return unjudgeable(`${name} reads its program from its input`);
  if (input.kind === 'made') return made(input, `${name} is given what ${input.by} makes at run time`);
  return input.kind === 'text' ? read(input.text) : NOTHING;
}

/** The program in a file, where the text itself says what stands there. */
export function fromFile(
  word: ShellWord,
  { input, values }: ScriptAround,
  name: string,
  read: (text: string) => Inner,
): Inner {
  if (word.content !== undefined) return fromInput(word.content, name, read);
  if (isInput(word)) return fromInput(input, name, read);
  const text = values.fileText(word.value);
  return text === undefined ? NOTHING : read(text);
}

/** `-` and the names of open files. */
export const isInput = (word: ShellWord): boolean =>
  word.value === '-' || /^\/(?:dev\/(?:stdin|fd)|proc\/)/.test(word.value);
