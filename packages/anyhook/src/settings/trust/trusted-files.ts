import type { TrustEntry } from './entry.ts';
import type { ProjectLink, Project } from './project.ts';
import type { ReadLanguage } from '../../shell/references/language.ts';
import type { ShellFacts } from '../../shell/files-run/visitor.ts';

export interface TrustedFile {
  /** From the root, with `/`. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly executable: boolean;
  readonly sha256: string;
  /** What reads it, where the word that leads to it says so. */
  readonly reads: readonly ReadLanguage[];
}

/** Everything an entry's trust is bound to, read once. */
export interface TrustedFiles {
  readonly entry: TrustEntry;
  readonly project: Project;
  readonly facts: ShellFacts;
  readonly files: readonly TrustedFile[];
  readonly links: readonly ProjectLink[];
  readonly folders: readonly string[];
  /** Files the entry itself names; what they lead to is in `files` only. */
  readonly direct: readonly string[];
  /** Read where they are, because a program may want their name or their folder: looked at again before each run. */
  readonly inPlace: readonly string[];
  /** Absolute path as it was spelled → name in the copy. */
  readonly copied: ReadonlyMap<string, string>;
  /** Words that name something that is not covered: a folder, or a file outside the project. */
  readonly outside: readonly {
    readonly word: string;
    readonly path: string;
    readonly why: 'folder' | 'outside';
  }[];
  /** Folders that are bound whole: nothing else is to be found in their copy. */
  readonly whole: readonly string[];
  /** Of those, the ones that the person asked for. */
  readonly asked: readonly string[];
  /** Names at which code was looked for and not found: nothing may appear there in the copy. */
  readonly absent: readonly string[];
  /** Folders in which code of the command line looks for Python modules. */
  readonly searched: readonly string[];
  /** Why not all that runs can be told, in words. */
  readonly doubts: readonly string[];
  /** Why the command could not be parsed: its words were taken by their blanks. */
  readonly unparsed?: string;
  /** Why this cannot be trusted at all; empty when it can. */
  readonly obstacles: readonly string[];
}

export interface TrustedFilesOptions {
  /** Variables whose value is known beforehand (`CLAUDE_PROJECT_DIR`, `HOME`). */
  readonly vars?: Readonly<Record<string, string>>;
  /** Folders of the project that the person wants bound whole. */
  readonly folders?: readonly string[];
}
