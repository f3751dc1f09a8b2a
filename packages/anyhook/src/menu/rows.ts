/** Rows of the `/hooks` menu: one per hook, in the order in which they run. */

import { type Hook, label, type Layer, type OnFailure } from '../events/hook.ts';
import type { Run } from '../events/outcome.ts';
import { failureOf } from '../library/failure-of.ts';
import type { Hooks } from '../library/hooks.ts';

/**
 * `yours` comes from the user's own settings or the program and needs no trust. The others are trust states of project hooks.
 */
export type Trust = 'yours' | 'trusted' | 'unknown' | 'modified' | 'untrustable';

export interface MenuRow {
  readonly id: string;
  /** Name for display. */
  readonly label: string;
  readonly dialect: string;
  readonly event: string;
  readonly matcher?: string;
  readonly layer: Layer;
  readonly file: string;
  readonly line: number;
  readonly trust: Trust;
  /** Hash to pass to `trust add`; only if it can be trusted. */
  readonly hash?: string;
  /** What a failure of this hook means. */
  readonly onFailure: OnFailure;
  /** Whether it would run. */
  readonly enabled: boolean;
  /** Disabled by the user. */
  readonly isOff: boolean;
  /** Why it would not run. */
  readonly why?: string;
  /** Shown while it runs. */
  readonly status?: string;
  readonly timeoutMs: number;
  readonly lastRun?: Run;
}

/** `runs` are records of earlier fires, oldest first: outcomes or journal records. */
export function hookMenu(
  hooks: Pick<Hooks, 'hooks' | 'examined'> & Partial<Pick<Hooks, 'disabled'>>,
  runs: readonly Run[] = [],
): MenuRow[] {
  const last = new Map(runs.filter(({ skipped }) => skipped === undefined).map((run) => [run.hook, run]));
  const off = new Set(hooks.disabled);
  return [...hooks.hooks, ...off].map((hook) => {
    const { id, dialect, on, matcher, origin, status, timeoutMs } = hook;
    const judgement = judgementOf(hook, hooks.examined);
    const lastRun = last.get(id);
    const why = whyNot(hook, off);
    return {
      id,
      label: label(hook),
      dialect,
      event: on,
      ...(matcher !== undefined && { matcher }),
      layer: origin.layer,
      file: origin.file,
      line: origin.line,
      trust: judgement?.state ?? (origin.layer === 'project' ? 'unknown' : 'yours'),
      ...(judgement !== undefined && { hash: judgement.hash }),
      onFailure: failureOf(hook),
      enabled: why === undefined,
      isOff: off.has(hook),
      ...(why !== undefined && { why }),
      ...(status !== undefined && { status }),
      timeoutMs,
      ...(lastRun !== undefined && { lastRun }),
    };
  });
}

function whyNot(hook: Hook, off: ReadonlySet<Hook>): string | undefined {
  if (off.has(hook)) return 'switched off';
  const { run } = hook;
  return run.kind === 'missing' ? [run.why.kind, run.why.detail].filter(Boolean).join(': ') : undefined;
}

/** Entries are judged one by one, modules as a whole. */
const judgementOf = ({ id, origin }: Hook, examined: Hooks['examined']) =>
  examined.find(({ hook, file }) => (hook === undefined ? file === origin.file : hook.id === id))?.judgement;
