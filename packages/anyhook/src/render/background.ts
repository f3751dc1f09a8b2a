/** Describes the state of a background hook in a few words. */

import { took } from '../events/took.mjs';
import type { ConsideredHook } from '../journal/index.ts';

type Late = Pick<ConsideredHook, 'skipped' | 'ms' | 'code' | 'failed'>;

export function backgroundWords({ skipped, ms, code, failed }: Late): string {
  if (skipped !== undefined) return 'started in the background, no end recorded yet';
  const how = code === undefined ? (failed?.kind ?? 'answered') : `exit ${code}`;
  return `ran in the background, ${how}, ${took(ms)}`;
}
