import { statSync } from 'node:fs';
import { nearest } from '../events/problems.ts';

/** Wrong use: one line that says what, where and what to do; exit 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What a slip may have meant, or, where nothing is near, all there is. */
export function nearOrAll(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? `known are ${known.join(', ')}` : `did you mean ${near}?`;
}

/** A misspelt folder must not look like a project without hooks. */
export function checkFolder(command: string, folder: string | undefined, option = '--cwd'): void {
  if (folder === undefined) return;
  const status = statSync(folder, { throwIfNoEntry: false });
  if (status === undefined) throw new UsageError(`${command}: ${option} ${folder}: there is no such folder`);
  if (!status.isDirectory()) throw new UsageError(`${command}: ${option} ${folder} is no folder`);
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `15m`, `2h`, `1d`; a number alone would leave the unit to be guessed. */
export function durationMs(command: string, text: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit ?? ''] ?? Number.NaN);
  if (Number.isFinite(ms) && ms > 0) return ms;
  throw new UsageError(`${command}: ${JSON.stringify(text)} is no duration; write 90s, 15m, 2h or 1d`);
}
