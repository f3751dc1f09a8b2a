/**
 * Binds a session to its guards at its first tool call. If a guard changes later, tool calls are refused until the user accepts
 * the change in a terminal.
 */

import { deny, type Effect } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import type { Hook } from '../events/hook.ts';
import type { BoundGuards, SessionRecord } from '../sessions/record.ts';
import type { SessionStore } from '../sessions/store.ts';
import { actsSince, extentOf, type GuardAct } from '../settings/acts.ts';
import { type ChangedGuard, changedGuards, guardsOf, type GuardSources } from './strength.ts';

/** A pause does not accept a change to guards. */
const isAcceptance = ({ terminal, what }: GuardAct): boolean =>
  terminal !== null && !/^(?:paused|resumed)/.test(what);
const isAcceptedSince = (acts: string, extent: number): boolean =>
  extentOf(acts) !== extent && actsSince(acts, extent).some(isAcceptance);

/** The guards that the session is bound to. Empty before its first tool call and after the user accepted a change. */
export const guardsBoundTo = ({ guards, boundAt = 0 }: SessionRecord, acts: string): BoundGuards =>
  guards === undefined || isAcceptedSince(acts, boundAt) ? {} : guards;

export interface GuardBindingOptions {
  readonly store: SessionStore;
  /** Path of the file of guard acts. */
  readonly acts: string;
  readonly sources: GuardSources;
}

export class GuardBinding {
  readonly #options: GuardBindingOptions;
  /** The guards that this process bound first. Later sessions are bound to the same ones, not to what changed meanwhile. */
  #first: { readonly guards: BoundGuards; readonly boundAt: number } | undefined;

  constructor(options: GuardBindingOptions) {
    this.#options = options;
  }
  /** Returns guards that differ from the session's bound guards. Binds the session to new ones. */
  changedIn(session: string): readonly ChangedGuard[] | Promise<readonly ChangedGuard[]> {
    const { store, acts, sources } = this.#options;
    if (!store.tracks(session)) return [];
    const bound = guardsBoundTo(store.read(session), acts);
    const changed = changedGuards(bound, sources);
    const isComplete = guardsOf(sources).every(({ id }) => bound[id] !== undefined);
    return changed.length > 0 || isComplete ? changed : this.#bind(session, bound);
  }
  async #bind(session: string, bound: BoundGuards): Promise<readonly ChangedGuard[]> {
    const { store, acts, sources } = this.#options;
    const { bindGuards } = await import('./bind-guards.ts');
    const boundAt = extentOf(acts);
    if (this.#first !== undefined && isAcceptedSince(acts, this.#first.boundAt)) this.#first = undefined;
    const guards = bindGuards(sources, { ...this.#first?.guards, ...bound });
    this.#first ??= { guards, boundAt };
    const isNew = Object.keys(bound).length === 0;
    store.update(session, (record) => ({
      ...record,
      guards: isNew ? guards : { ...guards, ...bound },
      boundAt: isNew ? boundAt : (record.boundAt ?? boundAt),
    }));
    return changedGuards(guards, sources);
  }
}

/** Wraps a built-in guard so that it also refuses while a bound guard differs. */
export function alsoRefusesChanged(hook: Hook, binding: GuardBinding): Hook {
  if (hook.run.kind !== 'call') return hook;
  const judge = hook.run.fn as (event: Event) => Judged; // same shape as in `builtIn`
  const judgeBinding = ({ ids }: Event): Judged => {
    const changed = binding.changedIn(ids.session);
    return changed instanceof Promise ? changed.then(refusalOf) : refusalOf(changed);
  };
  const fn = (event: Event): Judged => {
    const effect = judge(event);
    return effect instanceof Promise
      ? effect.then((own) => own ?? judgeBinding(event))
      : (effect ?? judgeBinding(event));
  };
  return { ...hook, run: { ...hook.run, fn: fn as typeof hook.run.fn } };
}
type Judged = Effect | undefined | Promise<Effect | undefined>;

/** Guards of the project change in everyday work. Trust decides whether they still count. */
function refusalOf(changed: readonly ChangedGuard[]): Effect | undefined {
  const own = changed.filter(({ isProjects }) => !isProjects);
  return own.length === 0 ? undefined : deny(own.map(reasonOf).join(' '));
}

const reasonOf = ({ label, what }: ChangedGuard): string =>
  `Refusing all tool calls: your guard ${label} ${what}, since this session began. If you changed it, accept that in a terminal: anyhook trust accept`;
