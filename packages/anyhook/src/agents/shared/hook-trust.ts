/** How an agent that skips hooks until it is told to trust them writes down what it was told. Data: nothing is read here. */
import type { InstallLocation } from './bridge.ts';

export interface HookTrust {
  /** Where it is written down. */
  readonly file: (where: InstallLocation) => string;
  /** Entries of our bridge that it skips. `noted`: what that file holds; empty where there is none. */
  readonly skipped: (bridge: BridgeFile, noted: string) => readonly SkippedEntry[];
  /** What a person does about it. */
  readonly remedy: string;
}
export interface BridgeFile {
  readonly where: InstallLocation;
  /** Where it really lies. */
  readonly path: string;
  readonly entries: readonly EntryPlace[];
}
/** An entry under `hooks`: its word, its group and its place in the group. */
export interface EntryPlace {
  readonly word: string;
  readonly group: number;
  readonly at: number;
  /** Of its group. */
  readonly matcher?: unknown;
  readonly handler: Readonly<Record<string, unknown>>;
}
export interface SkippedEntry {
  readonly word: string;
  readonly why: string;
  /** It was trusted at this path, and is not there any more: a moved home folder takes its trust along nowhere. */
  readonly movedFrom?: string;
  /** The user has switched this one off there. */
  readonly isOff?: true;
}
