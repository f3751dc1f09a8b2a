/** What the suites find, one line each: `result('G1', '1,000,000 answers', '0 crashes, 0 hangs')`. */
import { appendFileSync } from 'node:fs';
import type { Result } from './keep-results.mjs';

export type { Result } from './keep-results.mjs';

/** How much of every count is done: the whole unless `ANYHOOK_FAULTS_SHARE` says less, for those who work on it. */
const SHARE = Number(process.env['ANYHOOK_FAULTS_SHARE'] ?? 1);
export const counted = (whole: number, least = 1): number => Math.max(least, Math.round(whole * SHARE));

/** The same for everybody unless said otherwise; printed with every figure that was drawn by it. */
export const SEED = Number(process.env['ANYHOOK_FAULTS_SEED'] ?? 20_261_116);

export function result(id: string, what: string, value: string): void {
  const file = process.env['ANYHOOK_RESULTS'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ id, what, value } satisfies Result)}\n`);
}

/** What the careless variant, or the planted fault, came to in the same test: a test that cannot fail would be noticed here. */
export function control(id: string, what: string, value: string): void {
  const file = process.env['ANYHOOK_RESULTS'];
  const line: Result = { id, what, value, isControl: true };
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

export const grouped = (count: number): string => count.toLocaleString('en-US');
/** The value below which this share of them lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
