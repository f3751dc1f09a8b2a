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
  /** With the words replaced that the visitor gave another path for. */
  readonly text: string;
  /** Why it could not be parsed whole. */
  readonly error?: string;
  /** What makes it impossible to tell all that runs, in words. */
  readonly doubts: readonly string[];
  /** Programs that nobody knows, and the functions it defines: what is one file's function is no program in another. */
  readonly programs: readonly string[];
  readonly functions: readonly string[];
}

/** A word that may name a file. */
export interface FoundWord {
  /** `maybe`: one of the files that an import could mean. `folder`: it is searched for code. */
  readonly role: 'run' | 'source' | 'maybe' | 'folder' | 'read' | 'named';
  /** Absolute, not yet resolved. */
  readonly path: string;
  /** Made from the script's own place: in the copy it leads to the copied neighbour by itself. */
  readonly self: boolean;
  /** It cannot be replaced where it stands, so it is read where it is. */
  readonly stays: boolean;
  /** As it is written. */
  readonly word: string;
  /** What reads the file. */
  readonly language?: ReadLanguage;
}

export interface Visitor {
  /** Gives the path to put in place of a word, or nothing to leave it as it is. */
  readonly word: (found: FoundWord) => string | undefined;
  /** Python code of a command line looks for modules there. */
  readonly searched?: (here: string) => void;
  /** Where Python code of a command line shall find its modules instead of in the working folder. */
  readonly pythonPath?: (here: string) => readonly string[];
  /** Does the path lie in the project? */
  readonly isInProject?: (path: string) => boolean;
  /** Shows code of a command line. */
  readonly inline?: (code: string, language: ReadLanguage, word: string) => void;
  /** Stands before JavaScript of a command line. */
  readonly javascriptHead?: string;
}

/** One word as it stands, and a way to put another one there. */
export interface WordSpot {
  readonly text: string;
  readonly value: Value | undefined;
  /** Absent where nothing can be put in its place. */
  readonly replace?: (by: string) => void;
  /** Puts plain letters in front of what only run time completes. */
  readonly prepend?: (head: string) => void;
}
