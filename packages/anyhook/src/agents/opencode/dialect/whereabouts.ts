/** Sessions, messages and times in OpenCode's payloads. */

import type { Event } from '../../../events/event.ts';

/** A subagent has its own session. */
export const sessionIn = ({ ids }: Event): string => ids.agent ?? ids.session;
/** Empty: the host does not send it. */
export const messageIn = ({ ids }: Event): string => ids.message ?? '';

/** When an event was first sent, so that every plugin receives the same time. */
const times = new WeakMap<Event, number>();
export function timeOf(event: Event): number {
  const time = times.get(event) ?? Date.now();
  times.set(event, time);
  return time;
}

/** The duration of a finished tool call. */
export function spanOf(event: Event): { readonly start: number; readonly end: number } {
  const end = timeOf(event);
  const { durationMs } = event.payload as { durationMs?: unknown };
  return { start: end - (typeof durationMs === 'number' ? Math.round(durationMs) : 0), end };
}
