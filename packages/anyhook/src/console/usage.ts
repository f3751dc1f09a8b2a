import { statSync } from 'node:fs';
import { nearest } from '../events/problems.ts';
import type { CommandCode } from './error-codes.ts';

/** Wrong use of the command line: one line with what is wrong and what to do; exit 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly errorCode: CommandCode;
  constructor(message: string, errorCode: CommandCode = 'wrong-use') {
    super(message);
    this.errorCode = errorCode;
  }
}

const MAX_NAMES_SHOWN = 30;

/** For error messages: the closest known name, or all of them if none is close. */
export function nearOrAll(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  if (near !== undefined) return `did you mean ${near}?`;
  const shown = known.slice(0, MAX_NAMES_SHOWN).join(', ');
  return `known: ${shown}${known.length > MAX_NAMES_SHOWN ? ', …' : ''}`;
}

/** A typo in a folder name must not look like a project without hooks. */
export function checkFolder(command: string, folder: string | undefined, option = '--cwd'): void {
  if (folder === undefined) return;
  const status = statSync(folder, { throwIfNoEntry: false });
  if (status === undefined) throw new UsageError(`${command}: ${option} ${folder}: no such folder`);
  if (!status.isDirectory()) throw new UsageError(`${command}: ${option} ${folder} is not a folder`);
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `15m`, `2h`, `1d`; a number alone would leave the unit to be guessed. */
export function durationMs(command: string, text: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit ?? ''] ?? Number.NaN);
  if (Number.isFinite(ms) && ms > 0) return ms;
  throw new UsageError(`${command}: ${JSON.stringify(text)} is not a duration; write 90s, 15m, 2h or 1d`);
}
