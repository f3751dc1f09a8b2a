/** A log of what users did with their guards, shared by all sessions: one line per act, append-only. */

import { appendFileSync, closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';

export interface GuardAct {
  /** Time, as ISO 8601. */
  readonly at: string;
  /** A short description: `trusted sha256:…`, `paused until …`, `uninstalled codex`. */
  readonly what: string;
  /** Null if there was no terminal. */
  readonly terminal: string | null;
  /** The processes that started the command, nearest first. */
  readonly ancestors: readonly string[];
}

export function keepAct(file: string, act: GuardAct): void {
  makeFolder(dirname(file));
  appendFileSync(file, `${JSON.stringify(act)}\n`, { mode: 0o600 });
}

/** Returns the size of the log, a cheap way to detect new acts. */
export function extentOf(file: string): number {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0; // nothing was logged yet
  } catch {
    return 0;
  }
}

const MOST_BYTES = 64 * 1024;
/**
 * Returns the complete lines after this offset. If the log is shorter than that, it was tampered with and all
 * of it is new.
 */
export function actsSince(file: string, extent: number): readonly GuardAct[] {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return [];
  }
  try {
    const { size } = fstatSync(fd);
    const from = Math.max(extent > size ? 0 : extent, size - MOST_BYTES);
    const bytes = Buffer.alloc(size - from);
    readSync(fd, bytes, 0, bytes.length, from);
    return bytes.toString('utf8').split('\n').flatMap(actIn);
  } finally {
    closeSync(fd);
  }
}

function actIn(line: string): GuardAct[] {
  try {
    const { at, what, terminal, ancestors } = JSON.parse(line) as Partial<GuardAct>;
    if (typeof at !== 'string' || typeof what !== 'string') return [];
    return [{ at, what, terminal: terminal ?? null, ancestors: ancestors ?? [] }];
  } catch {
    return [];
  }
}

/** Describes an act for the user. */
export const sentenceOf = ({ at, what, terminal, ancestors }: GuardAct): string =>
  `anyhook: ${what} at ${at}, ${terminal === null ? 'without a terminal' : `from ${terminal}`}${ancestors.length === 0 ? '' : `, started by ${ancestors.slice(0, 4).join(' ← ')}`}. If that was not you: anyhook trust list, anyhook resume.`;
