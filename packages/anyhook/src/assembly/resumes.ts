/** A blocked stop makes the agent go on, but not for ever: eight times in a row, and the hook can see that it is so. */
import type { Event } from '../canon/event.ts';
import { rowOf } from '../canon/events.ts';
import type { Ruling } from '../canon/outcome.ts';

const IN_A_ROW = 8;
/** Sessions come and go; what is remembered of them is bounded. */
const REMEMBERED = 1000;

/** Who forgets between two events has nothing to count: the agent's own flag is all there is. */
export const NO_RESUMES: ReturnType<typeof makeResumes> = {
  flag: (event) => event,
  cap: (outcome) => outcome,
};

export function makeResumes(most = IN_A_ROW) {
  const counts = new Map<string, number>();
  const keyOf = ({ name, ids }: Event) => `${name}\0${ids.session}\0${ids.agent ?? ''}`;
  return {
    /** The event with the flag that says: you are only going on because a hook made you. */
    flag(event: Event): Event {
      if (counts.size === 0 || rowOf(event.name).ends !== true || !counts.has(keyOf(event))) return event;
      return { ...event, payload: { ...event.payload, active: true } } as Event;
    },
    cap(outcome: Ruling, event: Event): Ruling {
      if (counts.size === 0 && outcome.flow.resume === undefined) return outcome;
      if (rowOf(event.name).ends !== true) return outcome;
      const key = keyOf(event);
      if (outcome.flow.resume === undefined) {
        counts.delete(key);
        return outcome;
      }
      const count = (counts.get(key) ?? 0) + 1;
      if (count <= most) {
        if (counts.size >= REMEMBERED) counts.clear();
        counts.set(key, count);
        return outcome;
      }
      counts.delete(key);
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
