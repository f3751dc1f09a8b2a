/** What OpenCode's payloads say about where and when: sessions, messages, times. */
import type { Event } from '../../../events/event.ts';

/** A subagent has a session of its own. */
export const sessionIn = ({ ids }: Event): string => ids.agent ?? ids.session;
/** Empty: the host does not say. */
export const messageIn = ({ ids }: Event): string => ids.message ?? '';

/** When an event was first told: every plugin that hears it hears the same time. */
const times = new WeakMap<Event, number>();
export function timeOf(event: Event): number {
  const time = times.get(event) ?? Date.now();
  times.set(event, time);
  return time;
}

/** Of a tool call that has just ended. */
export function spanOf(event: Event): { readonly start: number; readonly end: number } {
  const end = timeOf(event);
  const { durationMs } = event.payload as { durationMs?: unknown };
  return { start: end - (typeof durationMs === 'number' ? Math.round(durationMs) : 0), end };
}
