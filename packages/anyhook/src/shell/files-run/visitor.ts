/** What a walk over a shell text is given, and how it reports the words that may name files. */

import type { ReadLanguage } from '../references/language.ts';
import type { Value } from './scope.ts';

/** What is known before a shell text is walked, and what a walk finds. */
export interface ShellFacts {
  readonly cwd: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly top?: string;
  readonly zero?: string;
  readonly file?: string;
}

export interface ShellWalk {
  /** The text with the visitor's replacements. */
  readonly text: string;
  /** Why the text could not be parsed completely. */
  readonly error?: string;
  /** Reasons why some of the code that runs is unknown. */
  readonly doubts: readonly string[];
  /** Unknown programs, and the functions that the text defines: a function of one file may be called in another. */
  readonly programs: readonly string[];
  readonly functions: readonly string[];
}

/** A word that may name a file. */
export interface FoundWord {
  /** `maybe`: one of the files that an import may mean. `folder`: searched for code. */
  readonly role: 'run' | 'source' | 'maybe' | 'folder' | 'read' | 'named';
  /** Absolute, not yet resolved. */
  readonly path: string;
  /** Built from the script's own path, so in a copy of the script it already leads to the copy. */
  readonly self: boolean;
  /** The word cannot be replaced, so the file is used in place. */
  readonly stays: boolean;
  /** As it is written. */
  readonly word: string;
  /** The language in which the file is read. */
  readonly language?: ReadLanguage;
}

export interface Visitor {
  /** Returns a path to replace the word with, or undefined to keep it. */
  readonly word: (found: FoundWord) => string | undefined;
  /** Called with a folder that Python code on the command line searches for modules. */
  readonly searched?: (here: string) => void;
  /** The folders that Python code on the command line must search instead of the working folder. */
  readonly pythonPath?: (here: string) => readonly string[];
  /** Whether the path is in the project. */
  readonly isInProject?: (path: string) => boolean;
  /** Called with code on the command line. */
  readonly inline?: (code: string, language: ReadLanguage, word: string) => void;
  /** Code to insert before JavaScript on the command line. */
  readonly javascriptHead?: string;
}

/** A word, its value, and how to replace it. */
export interface WordSpot {
  readonly text: string;
  readonly value: Value | undefined;
  /** Absent if the word cannot be replaced. */
  readonly replace?: (by: string) => void;
  /** Inserts plain text before a word whose value is known only at run time. */
  readonly prepend?: (head: string) => void;
}
