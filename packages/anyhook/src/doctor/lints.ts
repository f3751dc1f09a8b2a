/** All lints. To add one, create its file and add a line here. */

import { bridges } from './lint/bridges.ts';
import { calls } from './lint/calls.ts';
import { double } from './lint/double.ts';
import { guards } from './lint/guards.ts';
import type { Lint } from './lint/lint.ts';
import { matchers } from './lint/matchers.ts';
import { ownCode } from './lint/own-code.ts';
import { reach } from './lint/reach.ts';
import { scripts } from './lint/scripts.ts';
import { state } from './lint/state.ts';
import { timeouts } from './lint/timeouts.ts';
import type { DoctorFinding } from './look/finding.ts';
import type { Inspection } from './look/inspection.ts';

const LINTS: readonly Lint[] = [
  state,
  bridges,
  calls,
  reach,
  scripts,
  ownCode,
  matchers,
  timeouts,
  double,
  guards,
];
const WEIGHT = { error: 0, warning: 1, note: 2 } as const;

/** Errors first. */
export const lint = (looked: Inspection): DoctorFinding[] =>
  LINTS.flatMap((check) => check(looked)).toSorted((a, b) => WEIGHT[a.severity] - WEIGHT[b.severity]);
