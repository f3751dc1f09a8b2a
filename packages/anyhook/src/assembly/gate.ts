/** Nothing from a project acts before the person trusts it. What that looks like; `trusted.ts` does it. */
import type { Breakage } from '../canon/exchange.ts';
import type { Hook } from '../canon/hook.ts';
import type { Problem } from '../canon/problems.ts';
import type { Entry } from '../settings/trust/entry.ts';
import type { Judgement } from '../settings/trust/gate.ts';
import type { TrustSession } from '../settings/trust/session.ts';

/** One thing of a project that was looked at: for `list` and `trust`. */
export interface Examined {
  readonly hook?: Hook;
  readonly file: string;
  readonly line: number;
  readonly entry: Entry;
  readonly judgement: Judgement;
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
  ): { readonly file: string } | Breakage;
  /** Files a trusted hook reads where they are that are no longer what was trusted; asked right before it runs. */
  changed(hook: Hook): readonly string[];
  /** Did the person ever trust something that this settings file asked for? */
  knows(settingsFile: string): boolean;
  readonly examined: readonly Examined[];
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
