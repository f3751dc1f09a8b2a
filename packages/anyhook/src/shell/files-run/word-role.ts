/** What each word of a command is for. */
import type { ShellWord } from '../word.ts';
import type { ReadLanguage } from '../references/language.ts';

/**
 * `run` and `source` are code in a file; `script` is shell text; `code` and `module` are code of another language;
 * `folders` are searched for code; `setting` is `NAME=value`; `read` may be read by the program; `named` is looked at
 * by name only; `written` is where output goes; `program` is looked up in `PATH`.
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
  /** So many letters of the word are the option that the value is attached to. */
  readonly from?: number;
  /** What reads the file or the text. */
  readonly language?: ReadLanguage;
  /** `module`: where the option stands that names it. */
  readonly option?: number;
}

export interface CommandRoles {
  readonly roles: WordRole[];
  /** What makes it impossible to tell all that runs, in words. */
  readonly doubts: string[];
  /** Programs that nobody knows: functions of a script may be among them. */
  readonly programs: string[];
  /** It takes its program from its input. */
  readsInput?: ReadLanguage;
  /** Words from `from` on are read in the folder that the word names. */
  moved?: { readonly word: number; readonly from: number; readonly skip: number };
}

/** `undefined` is a word that is only known when it runs. */
export type ScriptWords = readonly (string | undefined)[];

/** A word that keeps its place, also where a value is cut out of it. */
export type PlacedWord = ShellWord & { readonly index: number; readonly whole: number };

/** So many letters stand before an attached value. */
export const fromOf = (word: PlacedWord): number => word.whole - word.value.length;

/** Options that name the folder in which the rest is read. */
export const CHDIR = new Set(['-C', '--chdir', '-D', '--directory']);
