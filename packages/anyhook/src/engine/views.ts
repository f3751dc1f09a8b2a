/** Decides what a hook sees of an event: the whole call, or the acts in it that the hook matches. */

import { actsOf, isCompound, isReadByShape } from '../events/acts.ts';
import type { Fields } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import type { Hook } from '../events/hook.ts';
import { namesIn } from '../events/lexicon.ts';
import type { Group } from './plan.ts';

/**
 * An event as the hooks of one group see it. The hooks share these objects, so that each is translated once.
 */
export interface EventView {
  /** Null if the event does not concern the group this time; none of its hooks runs. */
  readonly whole: Event | null;
  /**
   * One event per act of a compound call, otherwise empty. Null for an act that does not concern the group.
   */
  readonly acts: readonly (Event | null)[];
  /** The payload as it was fired. */
  readonly payload: Fields;
}

const ONE: readonly Event[] = [];

/** The event name and payload under which the hooks of a group know the event. */
type GroupView = Pick<Group, 'knownAs' | 'toGroup' | 'toFired'>;

export function eventViewOf(event: Event, groupView: GroupView): EventView {
  const payload = event.payload as Fields;
  return {
    whole: eventFor(event, groupView),
    // A group with payload fields of its own always gets the whole call, even a compound one.
    acts:
      groupView.toFired === undefined && isCompound(payload)
        ? actEvents(event).map((act) => eventFor(act, groupView))
        : ONE,
    payload,
  };
}

/** Returns one event per act. The native payload is left out because it describes the whole call. */
const actEvents = ({ raw: _raw, native: _native, ...event }: Event): Event[] =>
  actsOf(event.payload as Fields).map(
    ({ tool, input }) => ({ ...event, payload: { ...event.payload, tool, input } }) as Event,
  );

/** Returns the event with the group's name and payload. */
export function eventFor(event: Event, { knownAs, toGroup }: GroupView): Event | null {
  const payload = toGroup === undefined ? event.payload : toGroup(event.payload as Fields, event.ids);
  if (payload === null) return null;
  return knownAs === event.name && payload === event.payload
    ? event
    : ({ ...event, name: knownAs, payload } as Event);
}

type Fits = (hook: Hook, event: Event) => boolean;

/**
 * Returns the whole call if the hook names it or if its dialect has a name for it; otherwise each matching
 * act. Returns an empty list if the hook does not match. A compound call with only one act (pi sends every
 * edit as a list) is shown as that act, because hook authors expect the plain tool.
 */
export function viewsOf(hook: Hook, group: Group, sight: EventView, fits: Fits): readonly Event[] {
  const { whole } = sight;
  const all = whole !== null && fits(hook, whole) ? [whole] : ONE;
  if (sight.acts === ONE) return all;
  const acts = sight.acts.filter((act) => act !== null && fits(hook, act)) as readonly Event[];
  const words = namesIn(group.dialect.tools, toolOf(sight));
  const isNamed =
    hook.match.kind === 'names' ||
    isReadByShape(sight.payload) ||
    (acts.length === 1 ? cameAs(words, sight) : words.length > 0);
  const [first, second] = isNamed ? [all, acts] : [acts, all];
  return first.length > 0 ? first : second;
}

/** Returns true if the call arrived under one of these names, the host's or ours. */
const cameAs = (words: readonly string[], sight: EventView): boolean =>
  [sight.whole?.native?.tool, toolOf(sight)].some((name) => name !== undefined && words.includes(name));

const toolOf = ({ payload }: EventView): string => String(payload['tool'] ?? '');
