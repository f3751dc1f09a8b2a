import type { ShellFacts } from '../../shell/files-run/visitor.ts';
import type { ReadLanguage } from '../../shell/references/language.ts';
import type { TrustEntry } from './entry.ts';
import type { ProjectLink, Project } from './project.ts';

export interface TrustedFile {
  /** Relative to the root, with `/`. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly executable: boolean;
  readonly sha256: string;
  /** Programs that read it, according to the words that lead to it. */
  readonly reads: readonly ReadLanguage[];
}

/** Everything that an entry's trust is bound to, read once. */
export interface TrustedFiles {
  readonly entry: TrustEntry;
  readonly project: Project;
  readonly facts: ShellFacts;
  readonly files: readonly TrustedFile[];
  readonly links: readonly ProjectLink[];
  readonly folders: readonly string[];
  /** Files that the entry itself names. Files found through them are only in `files`. */
  readonly direct: readonly string[];
  /**
   * Files that are read at their original path, because a program may depend on it. Checked again before each
   * run.
   */
  readonly inPlace: readonly string[];
  /** Absolute path as it was written → name in the copy. */
  readonly copied: ReadonlyMap<string, string>;
  /** Words that name something that is not covered: a folder, or a file outside the project. */
  readonly outside: readonly {
    readonly word: string;
    readonly path: string;
    readonly why: 'folder' | 'outside';
  }[];
  /** Folders that are bound whole. Their copy contains nothing else. */
  readonly whole: readonly string[];
  /** Those of them that the user chose. */
  readonly asked: readonly string[];
  /** Names at which code was searched and not found. Nothing may appear there in the copy. */
  readonly absent: readonly string[];
  /** Folders that inline code searches for Python modules. */
  readonly searched: readonly string[];
  /** Why it is uncertain what runs. */
  readonly doubts: readonly string[];
  /** Why the command could not be parsed. Its words were then split at blanks. */
  readonly unparsed?: string;
  /** Why this cannot be trusted at all; empty if it can. */
  readonly obstacles: readonly string[];
}

export interface TrustedFilesOptions {
  /** Variables with known values (`CLAUDE_PROJECT_DIR`, `HOME`). */
  readonly vars?: Readonly<Record<string, string>>;
  /** Folders of the project that the user wants to bind whole. */
  readonly folders?: readonly string[];
}
