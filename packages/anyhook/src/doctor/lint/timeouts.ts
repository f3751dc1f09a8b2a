/** Finds milliseconds in seconds fields, and the reverse. */

import { findDialect } from '../../dialects.ts';
import type { Hook } from '../../events/hook.ts';
import type { DoctorFinding } from '../look/finding.ts';
import type { Inspection } from '../look/inspection.ts';
import type { Lint } from './lint.ts';

export const timeouts: Lint = (looked) => looked.hooks.flatMap((hook) => timeoutOf(hook, looked));

function timeoutOf(hook: Hook, { entryOf }: Inspection): DoctorFinding[] {
  const fields = findDialect(hook.dialect)?.config.entry;
  const entry = fields === undefined ? undefined : entryOf(hook);
  const value = entry?.value[fields?.timeout.key ?? ''];
  if (fields === undefined || entry === undefined || typeof value !== 'number') return [];
  const { key, unit } = fields.timeout;
  const meant = unit === 's' ? likelyMs(value) : likelySeconds(value);
  if (!meant) return [];
  const { line, column } = entry.at(key);
  const place = { file: hook.origin.file, line, column, hook: hook.id };
  return unit === 's'
    ? [
        {
          code: 'milliseconds-for-seconds',
          severity: 'warning',
          ...place,
          what: `"${key}": ${value} is ${span(value)}: ${hook.dialect} reads seconds.`,
          why: 'A hook that hangs would hold the agent up for that long.',
          remedy: `Write ${value / 1000} if milliseconds were meant.`,
        },
      ]
    : [
        {
          code: 'seconds-for-milliseconds',
          severity: 'error',
          ...place,
          what: `"${key}": ${value} is ${value} ms: ${hook.dialect} reads milliseconds.`,
          why: 'Few programs start in that time, so the hook is stopped.',
          remedy: `Write ${value * 1000} if seconds were meant.`,
        },
      ];
}

/** Timeouts of 1000 or 30000 seconds are unlikely, but many users write that many milliseconds. 1800 and 3600 are common seconds. */
const likelyMs = (value: number): boolean => (value >= 1000 && value % 500 === 0) || value >= 36_000;
const likelySeconds = (value: number): boolean => value > 0 && value <= 120;

function span(seconds: number): string {
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
}
