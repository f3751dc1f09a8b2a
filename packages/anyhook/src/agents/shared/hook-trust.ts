/** Describes how an agent that requires trust for hooks stores that trust. Data only: nothing is read here. */

import type { InstallLocation } from './bridge.ts';

export interface HookTrust {
  /** The file that stores it. */
  readonly file: (where: InstallLocation) => string;
  /**
   * Returns the entries of our bridge that the agent skips. `noted` is the content of that file; empty if it is
   * missing.
   */
  readonly skipped: (bridge: BridgeFile, noted: string) => readonly SkippedEntry[];
  /** What the user can do about it. */
  readonly remedy: string;
}
export interface BridgeFile {
  readonly where: InstallLocation;
  /** The real path. */
  readonly path: string;
  readonly entries: readonly EntryPlace[];
}
/** An entry under `hooks`: its event, group and index in the group. */
export interface EntryPlace {
  readonly word: string;
  readonly group: number;
  readonly at: number;
  /** The matcher of the group. */
  readonly matcher?: unknown;
  readonly handler: Readonly<Record<string, unknown>>;
}
export interface SkippedEntry {
  readonly word: string;
  readonly why: string;
  /** The old path of an entry that was trusted and has moved. A moved home folder loses its trust. */
  readonly movedFrom?: string;
  /** The user disabled this entry. */
  readonly isOff?: true;
}
