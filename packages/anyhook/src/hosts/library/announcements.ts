/** What was done with the guards while a session was under way, and what does not run in it, is said to its person. */
import type { Event } from '../../canon/event.ts';
import type { Ruling } from '../../canon/outcome.ts';
import { actsSince, extentOf, sentenceOf } from '../../settings/acts.ts';
import { keepSession, recallSession } from '../../settings/session-memory.ts';
import type { Folders } from '../../assembly/folders.ts';
import { type BoundNow, isAccepted, guardedSessionKey } from './changed-guards.ts';
import { changedGuards, changedLine, type GuardSources, type Strengths } from './strength.ts';
import { saying } from './what-is-off.ts';

export interface Announcements {
  /** `acts`: how far the record goes now. `unasked`: what passed without a hook that waits; said once to each session. */
  join(outcome: Ruling, event: Pick<Event, 'ids'>, acts: () => number, unasked?: string): Ruling;
  /** The same for an event that nobody listens to: a session does not begin with it. */
  follow(...about: Parameters<Announcements['join']>): Ruling;
  /** No session has anything to be told. */
  isNothingNew(acts: () => number): boolean;
  /** Settings were read again: these guards were in force before, and so do things stand now. */
  changed(before: Strengths, now: GuardSources): void;
}

const REMEMBERED = 1000;

/** For a program that stays: what happens while it lives, once to each of its sessions. */
export function announcementsHere({ acts: file }: Folders): Announcements {
  const texts: string[] = [];
  const told = new Map<string, number>();
  const unaskedTold = new Set<string>();
  let extent = extentOf(file);
  return {
    join(outcome, { ids: { session } }, acts, unasked) {
      if (unasked !== undefined && !unaskedTold.has(session)) {
        if (unaskedTold.size >= REMEMBERED) unaskedTold.clear();
        unaskedTold.add(session);
        outcome = saying(outcome, [unasked]);
      }
      const now = acts();
      if (now !== extent) {
        texts.push(...actsSince(file, extent).map(sentenceOf));
        extent = now;
      }
      if (texts.length === 0) return outcome;
      const from = told.get(session) ?? 0;
      if (from >= texts.length) return outcome;
      if (told.size >= REMEMBERED) told.clear();
      told.set(session, texts.length);
      return saying(outcome, texts.slice(from));
    },
    follow: (outcome) => outcome,
    isNothingNew: (acts) => texts.length === 0 && acts() === extent,
    changed: (before, now) => void texts.push(...changedGuards(before, now).map((one) => changedLine(one))),
  };
}

/** For a program that lives for one event: what is new since this session's last one. */
export function announcementsAcross(
  { acts: file, sessions }: Folders,
  sources: () => GuardSources,
  { boundNow, host }: { readonly boundNow: BoundNow; readonly host: string },
): Announcements {
  const join: Announcements['join'] = (outcome, { ids: { session } }, acts, unasked) => {
    const key = guardedSessionKey(host, session);
    const known = recallSession(sessions, key);
    const isNews = unasked !== undefined && known?.unasked !== true;
    const extent = acts();
    const news = isNews ? [unasked] : [];
    const rest = { acts: extent, ...((isNews || known?.unasked) && { unasked: true as const }) };
    const bound = boundNow.get(session);
    boundNow.delete(session);
    if (known === undefined) {
      const lost = sinceLastSession(bound);
      if (isNews || bound !== undefined || lost.length > 0)
        keepSession(sessions, key, { ...rest, guards: bound ?? {} });
      return saying(outcome, [...news, ...lost]);
    }
    const before = known.guards as Strengths; // as it was kept below
    const done = known.acts === extent ? [] : actsSince(file, known.acts);
    const changed = changedGuards(before, sources());
    const told = JSON.stringify(changed);
    const texts = [
      ...news,
      ...done.map(sentenceOf),
      ...(known.told === told ? [] : changed.map((one) => changedLine(one))),
    ];
    const isAsKept = bound === undefined && done.length === 0 && (known.told ?? '[]') === told;
    if (!isNews && isAsKept) return outcome;
    // A change that nobody has accepted is compared with what was there before it, however long it lasts.
    const memory = isAccepted(done)
      ? { ...rest, guards: bound ?? {} }
      : { ...rest, guards: { ...bound, ...before }, told };
    keepSession(sessions, key, memory);
    return saying(outcome, texts);
  };
  /** A guard of the user's that was there in the last session of this folder, and is not or is another one, is named once. */
  function sinceLastSession(bound: Strengths = {}): string[] {
    const key = `${host}: the last session in ${sources().locations.cwd}`;
    const last = (recallSession(sessions, key)?.guards ?? {}) as Strengths;
    const changed = changedGuards(last, sources()).filter(({ isProjects }) => !isProjects);
    if (Object.keys(bound).length > 0 || changed.length > 0)
      keepSession(sessions, key, { acts: 0, guards: bound });
    return changed.map((one) => changedLine(one, 'your last session here'));
  }
  return {
    join,
    follow: (outcome, event, acts) =>
      recallSession(sessions, guardedSessionKey(host, event.ids.session)) === undefined
        ? outcome
        : join(outcome, event, acts),
    isNothingNew: () => false, // that takes a look at the disk for each session
    changed: () => {},
  };
}
