/** What people do with their guards, kept where every session finds it: one line per act, only ever appended. */
import { appendFileSync, closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';

export interface GuardAct {
  /** When, as ISO 8601. */
  readonly at: string;
  /** As one would say it: `trusted sha256:…`, `paused until …`, `uninstalled codex`. */
  readonly what: string;
  /** Null: there was none. */
  readonly terminal: string | null;
  /** The programs that had started it, the nearest first. */
  readonly ancestors: readonly string[];
}

export function keepAct(file: string, act: GuardAct): void {
  makeFolder(dirname(file));
  appendFileSync(file, `${JSON.stringify(act)}\n`, { mode: 0o600 });
}

/** How far the record goes: cheap, for whoever asks whether something is new. */
export function extentOf(file: string): number {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0; // nothing was ever kept there
  } catch {
    return 0;
  }
}

const MOST_BYTES = 64 * 1024;
/** Whole lines after this place. A record that has become shorter was tampered with: then all of it is new. */
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

/** As a person is told. */
export const sentenceOf = ({ at, what, terminal, ancestors }: GuardAct): string =>
  `anyhook: ${what} at ${at}, ${terminal === null ? 'without a terminal' : `from ${terminal}`}${ancestors.length === 0 ? '' : `, started by ${ancestors.slice(0, 4).join(' ← ')}`}. If that was not you: anyhook trust list, anyhook resume.`;
