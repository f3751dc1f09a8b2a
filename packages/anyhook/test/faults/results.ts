/** Figures of the suites, one line each: `result('G1', '1,000,000 answers', '0 crashes, 0 hangs')`. */

import { appendFileSync } from 'node:fs';
import type { Result } from './keep-results.mjs';

export type { Result } from './keep-results.mjs';

/** Share of every count to run. Default: all. `ANYHOOK_FAULTS_SHARE` reduces it during development. */
const SHARE = Number(process.env['ANYHOOK_FAULTS_SHARE'] ?? 1);
export const counted = (whole: number, least = 1): number => Math.max(least, Math.round(whole * SHARE));

/** A fixed default, printed with every figure that depends on it. */
export const SEED = Number(process.env['ANYHOOK_FAULTS_SEED'] ?? 20_261_116);

export function result(id: string, what: string, value: string): void {
  const file = process.env['ANYHOOK_RESULTS'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ id, what, value } satisfies Result)}\n`);
}

/** The result of the control (a careless variant or a planted fault), which shows that the test can fail. */
export function control(id: string, what: string, value: string): void {
  const file = process.env['ANYHOOK_RESULTS'];
  const line: Result = { id, what, value, isControl: true };
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

export const grouped = (count: number): string => count.toLocaleString('en-US');
/** The value below which this share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
