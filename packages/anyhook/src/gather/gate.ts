/** Nothing from a project acts before the person trusts it. What that looks like; `trusted.ts` does it. */
import type { HookFailure } from '../events/exchange.ts';
import type { Hook } from '../events/hook.ts';
import type { Problem } from '../events/problems.ts';
import type { TrustEntry } from '../settings/trust/entry.ts';
import type { TrustJudgement } from '../settings/trust/gate.ts';
import type { TrustSession } from '../settings/trust/session.ts';

/** One thing of a project that was looked at: for `list` and `trust`. */
export interface ExaminedEntry {
  readonly hook?: Hook;
  readonly file: string;
  readonly line: number;
  readonly entry: TrustEntry;
  readonly judgement: TrustJudgement;
}
export interface Gate {
  /** The hook with the trusted bytes in its place, or a hook that waits for trust. */
  hook(hook: Hook): Hook;
  /** The trusted copy of a module, or why there is none. */
  module(
    file: string,
    asker: { readonly file: string; readonly line: number },
    /** Whose module it is; otherwise our own. */
    dialect?: string,
    /** What the settings hand to it: trusted with it. */
    options?: unknown,
  ): { readonly file: string } | HookFailure;
  /** Files a trusted hook reads where they are that are no longer what was trusted; asked right before it runs. */
  changed(hook: Hook): readonly string[];
  /** Did the person ever trust something that this settings file asked for? */
  knows(settingsFile: string): boolean;
  readonly examined: readonly ExaminedEntry[];
  /** The person said yes to what was shown. */
  readonly grant: TrustSession['grant'];
  readonly problems: readonly Problem[];
}

/** Where the project asks for nothing there is nothing to look at: the trust store is not even opened. */
export const NOTHING_ASKED: Pick<Gate, 'examined' | 'grant' | 'problems'> = {
  examined: [],
  problems: [],
  grant: ({ file }) => ({
    kind: 'failed',
    problem: {
      code: 'not-trusted',
      file,
      message: 'was not among what this project asked for.',
      remedy: 'Reload, and look at it first.',
      severity: 'error',
    },
  }),
};
