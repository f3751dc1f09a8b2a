/** What was done with the guards while a session was under way, and what does not run in it, is said to its person. */
import type { Event } from '../../canon/event.ts';
import type { Ruling } from '../../canon/outcome.ts';
import { actsSince, extentOf, sentenceOf } from '../../settings/acts.ts';
import { keepSession, recallSession } from '../../settings/session-memory.ts';
import type { Folders } from '../../assembly/folders.ts';
import { type Strengths, weakened } from './strength.ts';
import { saying } from './what-is-off.ts';

export interface Announcements {
  /** `acts`: how far the record goes now. `unasked`: what passed without a hook that waits; said once to each session. */
  join(outcome: Ruling, event: Pick<Event, 'ids'>, acts: () => number, unasked?: string): Ruling;
  /** The same for an event that nobody listens to: a session does not begin with it. */
  follow(...about: Parameters<Announcements['join']>): Ruling;
  /** No session has anything to be told. */
  isNothingNew(acts: () => number): boolean;
  /** Settings were read again: these guards were in force before, those are now. */
  changed(before: Strengths, now: Strengths): void;
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
    changed: (before, now) => void texts.push(...weakened(before, now)),
  };
}

/** For a program that lives for one event: what is new since this session's last one. */
export function announcementsAcross(
  { acts: file, sessions }: Folders,
  strengths: () => Strengths,
): Announcements {
  const join: Announcements['join'] = (outcome, { ids: { session } }, acts, unasked) => {
    const known = recallSession(sessions, session);
    const isNews = unasked !== undefined && known?.unasked !== true;
    const now = {
      acts: acts(),
      guards: strengths(),
      ...((isNews || known?.unasked) && { unasked: true as const }),
    };
    const news = isNews ? [unasked] : [];
    if (known === undefined) {
      if (isNews || Object.keys(now.guards).length > 0) keepSession(sessions, session, now);
      return saying(outcome, news);
    }
    const texts = [
      ...news,
      ...(known.acts === now.acts ? [] : actsSince(file, known.acts).map(sentenceOf)),
      ...weakened(known.guards, now.guards),
    ];
    if (!isNews && known.acts === now.acts && JSON.stringify(known.guards) === JSON.stringify(now.guards))
      return outcome;
    keepSession(sessions, session, now);
    return saying(outcome, texts);
  };
  return {
    join,
    follow: (outcome, event, acts) =>
      recallSession(sessions, event.ids.session) === undefined ? outcome : join(outcome, event, acts),
    isNothingNew: () => false, // that takes a look at the disk for each session
    changed: () => {},
  };
}
