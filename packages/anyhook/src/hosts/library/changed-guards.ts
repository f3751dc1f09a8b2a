/**
 * A guard that is not what it was when the session began guards nothing that can be relied on: tool calls are refused until the user
 * has accepted the change in a terminal.
 */
import { deny, type Effect } from '../../canon/effects.ts';
import { NAMELESS } from '../../assembly/resume-counts.ts';
import type { Event } from '../../canon/event.ts';
import type { Hook } from '../../canon/hook.ts';
import { actsSince, extentOf, type GuardAct } from '../../settings/acts.ts';
import { recallSession } from '../../settings/session-memory.ts';
import type { Folders } from '../../assembly/folders.ts';
import { type ChangedGuard, changedGuards, guardsOf, type GuardSources, type Strengths } from './strength.ts';

/** What the user does in a terminal of their own is known to them; a pause says nothing about guards. */
export const isAccepted = (acts: readonly GuardAct[]): boolean =>
  acts.some(({ terminal, what }) => terminal !== null && !/^(?:paused|resumed)/.test(what));

/** Each agent runs some hooks by itself, so two agents that name their session alike have different guards. */
export const guardedSessionKey = (host: string, session: string): string => `${host} ${session}`;

/** Guards that have changed, by the session that is asked about. */
type ChangedIn = (session: string) => readonly ChangedGuard[] | Promise<readonly ChangedGuard[]>;

/** What guards of a session were bound to at this event, for whoever remembers the session. */
export type BoundNow = Map<string, Strengths>;

/** For a program that lives for one event: compared with what the session's first call found. */
export const changedSince =
  (
    { sessions, acts }: Folders,
    sources: GuardSources,
    { boundNow, host }: { readonly boundNow: BoundNow; readonly host: string },
  ): ChangedIn =>
  (session) => {
    if (session === '' || session === NAMELESS) return [];
    const known = recallSession(sessions, guardedSessionKey(host, session));
    const isAgreed = known !== undefined && isAccepted(actsSince(acts, known.acts));
    const before = isAgreed ? {} : ((known?.guards ?? {}) as Strengths); // as announcements keep it
    const changed = changedGuards(before, sources);
    if (changed.length > 0 || guardsOf(sources).every(({ id }) => before[id] !== undefined)) return changed;
    return import('./bind-guards.ts').then(({ bindGuards }) => {
      boundNow.set(session, bindGuards(sources, before));
      return changed;
    });
  };

/** For a program that stays: compared with what was there when it read its settings. */
export async function changedHere({ acts }: Folders, sources: GuardSources): Promise<ChangedIn> {
  const { bindGuards } = await import('./bind-guards.ts');
  let [bound, extent] = [bindGuards(sources), extentOf(acts)];
  return () => {
    const changed = changedGuards(bound, sources);
    if (changed.length === 0 || !isAccepted(actsSince(acts, extent))) return changed;
    [bound, extent] = [bindGuards(sources), extentOf(acts)];
    return [];
  };
}

/** A built-in guard that refuses as before, and besides while a guard is not what it was. */
export function alsoRefusesChanged(hook: Hook, changedIn: ChangedIn): Hook {
  if (hook.run.kind !== 'call') return hook;
  const judge = hook.run.fn as (event: Event) => Judged; // as `builtIn` makes it
  const fn = (event: Event): Judged => {
    const said = judge(event);
    return said instanceof Promise
      ? said.then((effect) => effect ?? judgeChanged(event))
      : (said ?? judgeChanged(event));
  };
  const judgeChanged = ({ ids }: Event): Judged => {
    const found = changedIn(ids.session);
    return found instanceof Promise ? found.then(refusal) : refusal(found);
  };
  return { ...hook, run: { ...hook.run, fn: fn as typeof hook.run.fn } };
}
type Judged = Effect | undefined | Promise<Effect | undefined>;

function refusal(found: readonly ChangedGuard[]): Effect | undefined {
  const changed = found.filter(({ isProjects }) => !isProjects);
  return changed.length === 0 ? undefined : deny(changed.map(reasonOf).join(' '));
}

const reasonOf = ({ label, what }: ChangedGuard): string =>
  `Refusing all tool calls: your guard ${label} ${what}, since this session began. If you changed it, accept that in a terminal: anyhook trust accept`;
