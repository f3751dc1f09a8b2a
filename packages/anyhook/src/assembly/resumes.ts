/** A blocked stop makes the agent go on, but not for ever: eight times in a row, and the hook can see that it is so. */
import type { Event } from '../canon/event.ts';
import { byEvent } from '../canon/by-event.ts';
import { type EventName, rowOf } from '../canon/events.ts';
import type { Ruling } from '../canon/outcome.ts';
import { countsInMemory, type ResumeCounts } from './resume-counts.ts';

const IN_A_ROW = 8;
/** Asked at every fire, twice. */
const ENDS = byEvent((name) => rowOf(name).ends === true);
export const announcesEnd = (name: EventName): boolean => ENDS[name];

export function makeResumes(counts: ResumeCounts = countsInMemory(), most = IN_A_ROW) {
  return {
    /** The event with the flag that says: you are only going on because a hook made you. */
    flag(event: Event): Event {
      if (!ENDS[event.name] || counts.get(event) === 0) return event;
      return { ...event, payload: { ...event.payload, active: true } } as Event;
    },
    cap(outcome: Ruling, event: Event): Ruling {
      if (!ENDS[event.name]) return outcome;
      const before = counts.get(event);
      if (outcome.flow.resume === undefined) {
        if (before > 0) counts.set(event, 0);
        return outcome;
      }
      if (before < most) {
        counts.set(event, before + 1);
        return outcome;
      }
      counts.set(event, 0);
      const { resume, ...flow } = outcome.flow;
      const text = `a stop hook made the agent go on ${most} times in a row; it stops now (${resume})`;
      return {
        ...outcome,
        flow,
        lost: [...outcome.lost, `resume: ${most} times in a row`],
        said: [...outcome.said, { by: 'host', to: 'person', text }],
      };
    },
  };
}
