/** What the words of a command are shown to. */
import type { ReadLanguage } from '../references/language.ts';
import type { Value } from './value.ts';

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
