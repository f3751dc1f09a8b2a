import { clip, type ShellWord } from './word.ts';

/** What a command runs besides itself. */
export interface Inner {
  readonly commands: readonly (readonly ShellWord[])[];
  readonly texts: readonly InnerText[];
  /** `NAME=value` words of the command. */
  readonly settings?: readonly ShellWord[];
  readonly unjudgeable: readonly string[];
}

export interface InnerText {
  readonly text: string;
  /** Only what bash and the other shell read alike is judged. */
  readonly shell: 'bash' | 'other';
  /** A word that holds this is completed at run time. */
  readonly hole?: string;
}

export const NOTHING: Inner = { commands: [], texts: [], unjudgeable: [] };

export const unjudgeable = (...reasons: string[]): Inner => ({ ...NOTHING, unjudgeable: reasons });

export const runs = (...commands: (readonly ShellWord[])[]): Inner => ({
  ...NOTHING,
  commands: commands.filter((words) => words.length > 0),
});

/** A word that is shell text; text that is put together at run time is nobody's to judge. */
export const runsText = (word: ShellWord, hole?: string): Inner =>
  word.fixed
    ? { ...NOTHING, texts: [{ text: word.value, shell: 'bash', ...(hole === undefined ? {} : { hole }) }] }
    : unjudgeable(`shell text is put together at run time: ${clip(word.text)}`);

export const together = (...parts: readonly Inner[]): Inner => ({
  commands: parts.flatMap((part) => part.commands),
  texts: parts.flatMap((part) => part.texts),
  settings: parts.flatMap((part) => part.settings ?? []),
  unjudgeable: parts.flatMap((part) => part.unjudgeable),
});
