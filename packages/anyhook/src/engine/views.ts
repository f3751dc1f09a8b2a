/** What a hook is shown of an event: the call, or those of its acts that the hook is about. */
import { actsOf, isCompound, isReadByShape } from '../events/acts.ts';
import type { Fields } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import type { Hook } from '../events/hook.ts';
import { namesIn } from '../events/lexicon.ts';
import type { Group } from './plan.ts';

/** One event as the hooks of a group are shown it. All of them share these objects, so that each is translated once. */
export interface Sight {
  /** Null: this time the event is nothing to the group, and none of its hooks is asked. */
  readonly whole: Event | null;
  /** One event per act where the call is several acts in one, otherwise empty; null: this act is nothing to the group. */
  readonly acts: readonly (Event | null)[];
  /** What was fired, as it stands. */
  readonly payload: Fields;
}

const ONE: readonly Event[] = [];

/** Under which event's name the hooks of a group are told, and which part of the payload. */
type Telling = Pick<Group, 'as' | 'seen' | 'back'>;

export function sightOf(event: Event, telling: Telling): Sight {
  const payload = event.payload as Fields;
  return {
    whole: seenAs(event, telling),
    // A group that is told the event in fields of its own hears the whole call, also where it is several acts.
    acts:
      telling.back === undefined && isCompound(payload)
        ? actEvents(event).map((act) => seenAs(act, telling))
        : ONE,
    payload,
  };
}

/** One event per act. The host's spelling is left out: it is that of the whole call. */
const actEvents = ({ raw: _raw, native: _native, ...event }: Event): Event[] =>
  actsOf(event.payload as Fields).map(
    ({ tool, input }) => ({ ...event, payload: { ...event.payload, tool, input } }) as Event,
  );

/** The event under the name and with the payload that the group is told. */
export function seenAs(event: Event, { as, seen }: Telling): Event | null {
  const payload = seen === undefined ? event.payload : seen(event.payload as Fields, event.ids);
  if (payload === null) return null;
  return as === event.name && payload === event.payload ? event : ({ ...event, name: as, payload } as Event);
}

type Fits = (hook: Hook, event: Event) => boolean;

/**
 * Whoever names the whole call, or has a word for it in its dialect, is asked about the whole; others about each act that
 * fits. None: the hook is not about this event. A call that is one act after all (pi says every edit as a list of them) is
 * told as that act: a hook may have heard of the word for the whole, but its author thinks of the plain one.
 */
export function viewsOf(hook: Hook, group: Group, sight: Sight, fits: Fits): readonly Event[] {
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

/** Under one of these names, the host's or ours. */
const cameAs = (words: readonly string[], sight: Sight): boolean =>
  [sight.whole?.native?.tool, toolOf(sight)].some((name) => name !== undefined && words.includes(name));

const toolOf = ({ payload }: Sight): string => String(payload['tool'] ?? '');
