/** The roles of the words of a command. */

import type { ReadLanguage } from '../references/language.ts';
import type { ShellWord } from '../word.ts';

/**
 * `run` and `source`: a file of code. `script`: shell text. `code` and `module`: code of another language. `folders`: searched
 * for code. `setting`: `NAME=value`. `read`: a file that the program may read. `named`: only the name matters. `written`: a
 * file that the program writes. `program`: looked up in `PATH`.
 */
export interface WordRole {
  readonly as:
    | 'program'
    | 'run'
    | 'source'
    | 'script'
    | 'code'
    | 'module'
    | 'folders'
    | 'setting'
    | 'read'
    | 'named'
    | 'written'
    | 'option';
  /** The length of the option to which the value is attached. */
  readonly from?: number;
  /** The language in which the file or text is read. */
  readonly language?: ReadLanguage;
  /** `module`: the position of the option that names it. */
  readonly option?: number;
}

export interface CommandRoles {
  readonly roles: WordRole[];
  /** Reasons why some of the code that runs is unknown. */
  readonly doubts: string[];
  /** Unknown programs, which may be functions of a script. */
  readonly programs: string[];
  /** The command reads its program from its input, in this language. */
  readsInput?: ReadLanguage;
  /** The words from `from` on are relative to the folder that `word` names. */
  moved?: { readonly word: number; readonly from: number; readonly skip: number };
}

/** `undefined` is a word that is known only at run time. */
export type ScriptWords = readonly (string | undefined)[];

/** A word with its position, which it keeps if a value is cut out of it. */
export type PlacedWord = ShellWord & { readonly index: number; readonly whole: number };

/** The number of letters before an attached value. */
export const fromOf = (word: PlacedWord): number => word.whole - word.value.length;

/** Options that change the working folder. */
export const CHDIR = new Set(['-C', '--chdir', '-D', '--directory']);
