/**
 * The interface of the trust gate: nothing from a project runs before the user trusts it. `trusted.ts` implements it.
 */

import type { HookFailure } from '../events/exchange.ts';
import type { Hook } from '../events/hook.ts';
import type { Problem } from '../events/problems.ts';
import type { TrustEntry } from '../settings/trust/entry.ts';
import type { TrustJudgement } from '../settings/trust/gate.ts';
import type { TrustSession } from '../settings/trust/session.ts';

/** An examined entry of a project, for `list` and `trust`. */
export interface ExaminedEntry {
  readonly hook?: Hook;
  readonly file: string;
  readonly line: number;
  readonly entry: TrustEntry;
  readonly judgement: TrustJudgement;
}
export interface Gate {
  /** Returns the hook with its trusted copy, or a hook that waits for trust. */
  hook(hook: Hook): Hook;
  /** Returns the trusted copy of a module, or why there is none. */
  module(
    file: string,
    asker: { readonly file: string; readonly line: number },
    /** The dialect of the module; default: our own. */
    dialect?: string,
    /** Options from the settings, trusted together with the module. */
    options?: unknown,
  ): { readonly file: string } | HookFailure;
  /**
   * Returns files that a trusted hook reads in place and that have changed since they were trusted. Called right before
   * the hook runs.
   */
  changed(hook: Hook): readonly string[];
  /** Whether the user ever trusted an entry of this settings file. */
  knows(settingsFile: string): boolean;
  readonly examined: readonly ExaminedEntry[];
  /** Records that the user trusts what was shown. */
  readonly grant: TrustSession['grant'];
  readonly problems: readonly Problem[];
}

/** Used for projects without entries; the trust store is not opened. */
export const NOTHING_ASKED: Pick<Gate, 'examined' | 'grant' | 'problems'> = {
  examined: [],
  problems: [],
  grant: ({ file }) => ({
    kind: 'failed',
    problem: {
      code: 'not-trusted',
      file,
      message: 'is not among the hooks of this project.',
      remedy: 'Reload, and review it first.',
      severity: 'error',
    },
  }),
};
