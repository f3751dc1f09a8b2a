/** Which hooks an event goes to, in which groups. Compiled once; looked up per event and subject. */
import { actsOf, isCompound } from '../events/acts.ts';
import { type Dialect, type Sharing } from '../events/dialect.ts';
import { slotsByEvent } from '../events/by-event.ts';
import type { Fields } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import { EVENT_NAMES, type EventName, rowOf } from '../events/events.ts';
import type { Hook } from '../events/hook.ts';
import { namesIn } from '../events/lexicon.ts';
import { mcpName } from '../events/mcp-names.ts';
import { type Nearest, standInsFor } from '../events/nearest.ts';
import { isAsked } from './fit.ts';
import type { Parts } from './parts.ts';
import { seenAs, type Sight, sightOf, viewsOf } from './views.ts';

/** Hooks of one dialect and one of its words, and how they share the event. */
export interface Group {
  readonly dialect: Dialect;
  readonly sharing: Sharing;
  readonly hooks: readonly Hook[];
  /** The event as these hooks know it: the event's own name, one that the host lacks, one that their agent tells it as. */
  readonly as: EventName;
  /** The payload as they know it; null: not this time. Absent: as it is. */
  readonly seen?: Nearest['as'];
  /** What they make of it, as fields of the event that was fired; absent: their fields are the event's. */
  readonly back?: Nearest['back'];
}
export interface EventPlan {
  readonly groups: readonly Group[];
  /** Hooks of this event whose matcher does not fit the subject. */
  readonly unmatched: readonly string[];
  /** Where a hook stands in the configured order of all that may run. */
  readonly place: (id: string) => number;
}
export interface Plans {
  /** `undefined`: nobody listens. */
  readonly of: (event: Event) => EventPlan | undefined;
  readonly wants: (name: EventName) => boolean;
}

/** Tool names come from a model: what is remembered about them is bounded. */
const REMEMBERED = 1000;
/** A longer subject is a prompt rather than a name, and will not come again: its plan is not remembered. */
const LONGEST = 256;

/** Everything that selection needs to know about one event. */
interface Planned {
  readonly whole: EventPlan;
  /** Nobody has a matcher: the subject makes no difference. */
  readonly takesAny: boolean;
  readonly standIns: readonly Group[];
  /** The field of the payload that matchers are about. */
  readonly subject: string | null;
  readonly remembered: RememberedPlans;
}

/** Plans by subject, and by what else was looked at (`rest`, mostly empty). */
class RememberedPlans {
  readonly #plain = new Map<string, EventPlan>();
  readonly #others = new Map<string, Map<string, EventPlan>>();
  #size = 0;

  get(subject: string, rest: string): EventPlan | undefined {
    return rest === '' ? this.#plain.get(subject) : this.#others.get(rest)?.get(subject);
  }
  keep(subject: string, rest: string, plan: EventPlan): void {
    if (subject.length + rest.length > LONGEST) return;
    if (this.#size >= REMEMBERED) {
      this.#plain.clear();
      this.#others.clear();
      this.#size = 0;
    }
    this.#size++;
    if (rest === '') return void this.#plain.set(subject, plan);
    const those = this.#others.get(rest);
    if (those === undefined) this.#others.set(rest, new Map([[subject, plan]]));
    else those.set(subject, plan);
  }
}

export function makePlans(parts: Parts): Plans {
  const planned = slotsByEvent<Planned>();
  const hooksOf = byWord(parts.hooks);
  // Most dialects have no hooks, and all of them have words for most events.
  const dialects = parts.dialects.filter(({ name }) => parts.hooks.some((hook) => hook.dialect === name));
  const missing = missingEvents(parts.lacks ?? []);
  for (const name of EVENT_NAMES) {
    const groups = groupsOf(name, dialects, hooksOf, missing.get(name) ?? []);
    if (groups.length === 0) continue;
    const whole = everything(firstOf(groups));
    const takesAny = whole.groups.every(({ hooks }) => hooks.every(({ match }) => match.kind === 'any'));
    planned[name] = {
      whole,
      takesAny,
      standIns: whole.groups.filter(({ seen }) => seen !== undefined),
      subject: rowOf(name).subject,
      remembered: new RememberedPlans(),
    };
  }
  return {
    wants: (name) => planned[name] !== null,
    of(event) {
      const found = planned[event.name];
      if (found === null) return undefined;
      if (found.takesAny) return found.whole;
      const subject = textIn(event.payload, found.subject);
      const rest = restOf(event, found.standIns);
      return found.remembered.get(subject, rest) ?? choose(event, found, subject, rest);
    },
  };
  function choose(event: Event, { whole, remembered }: Planned, subject: string, rest: string): EventPlan {
    const plan = chosenFrom(whole, (group) => meantIn(group, event, parts));
    remembered.keep(subject, rest, plan);
    return plan;
  }
}

type HooksOf = (dialect: Dialect, word: string) => readonly Hook[];
function byWord(hooks: readonly Hook[]): HooksOf {
  const known = new Map<string, Map<string, Hook[]>>();
  for (const hook of hooks) {
    const words = known.get(hook.dialect) ?? new Map<string, Hook[]>();
    known.set(hook.dialect, words);
    const there = words.get(hook.on);
    if (there === undefined) words.set(hook.on, [hook]);
    else there.push(hook);
  }
  return ({ name }, word) => known.get(name)?.get(word) ?? [];
}

/** One group per dialect and word, in the fixed order of the dialects: one more hook never reorders the others. */
function groupsOf(
  name: EventName,
  dialects: readonly Dialect[],
  hooksOf: HooksOf,
  missing: readonly Telling[],
): Group[] {
  const group = (dialect: Dialect, telling: Telling): Group[] =>
    (dialect.words[telling.as] ?? []).flatMap((word) => {
      const hooks = hooksOf(dialect, word);
      return hooks.length === 0 ? [] : [{ dialect, sharing: dialect.sharing(word), hooks, ...telling }];
    });
  return [
    ...dialects.flatMap((dialect) => tellings(name, dialect).flatMap((telling) => group(dialect, telling))),
    ...missing.flatMap((telling) => dialects.flatMap((dialect) => group(dialect, telling))),
  ];
}

/** By the event that is fired in their place: the events that the host lacks, as their hooks are told of them. */
function missingEvents(lacks: readonly EventName[]): ReadonlyMap<EventName, readonly Telling[]> {
  const found = new Map<EventName, Telling[]>();
  for (const event of lacks)
    for (const { fired, nearest } of standInsFor(event, lacks)) {
      const { as: seen, back } = nearest;
      const telling: Telling = { as: event, seen, ...(back && { back }) };
      found.set(fired, [...(found.get(fired) ?? []), telling]);
    }
  return found;
}
type Telling = Pick<Group, 'as' | 'seen' | 'back'>;

/** Who is asked before all others gets a group of its own at the front; where there is one group, it is first there. */
function firstOf(groups: readonly Group[]): Group[] {
  const those = ({ hooks }: Group, isFirst: boolean) =>
    hooks.filter((hook) => (hook.isFirst === true) === isFirst);
  if (groups.length < 2)
    return groups.map((group) => ({ ...group, hooks: [...those(group, true), ...those(group, false)] }));
  return [true, false].flatMap((isFirst) =>
    groups.map((group) => ({ ...group, hooks: those(group, isFirst) })),
  );
}

/** As which events a dialect hears this one. */
function tellings(event: EventName, { retells }: Dialect): Telling[] {
  const retold = retells?.[event];
  if (retold === undefined) return [{ as: event }];
  return [
    { as: event, seen: (payload) => (retold.tell(payload) === null ? payload : null) },
    { as: retold.as, seen: retold.tell },
  ];
}

const everything = (groups: readonly Group[]): EventPlan => ({
  groups: groups.filter(({ hooks }) => hooks.length > 0),
  unmatched: [],
  place: placesIn(groups),
});

function chosenFrom(whole: EventPlan, meantIn: (group: Group) => readonly Hook[]): EventPlan {
  const groups = whole.groups
    .map((group) => ({ ...group, hooks: meantIn(group) }))
    .filter(({ hooks }) => hooks.length > 0);
  const ids = new Set(idsIn(groups));
  return {
    groups,
    unmatched: Object.freeze(idsIn(whole.groups).filter((id) => !ids.has(id))),
    place: whole.place,
  };
}

const idsIn = (groups: readonly Group[]): string[] =>
  groups.flatMap(({ hooks }) => hooks.map(({ id }) => id));

/** Made when it is first asked for: only what hooks say is put in order. */
function placesIn(groups: readonly Group[]): EventPlan['place'] {
  let places: Map<string, number> | undefined;
  return (id) => {
    places ??= new Map([...new Set(idsIn(groups))].map((one, at) => [one, at]));
    return places.get(id) ?? 0;
  };
}

export const subjectOf = ({ name, payload }: Event): string => textIn(payload, rowOf(name).subject);

function textIn(payload: object, field: string | null): string {
  const value = field === null ? undefined : (payload as Fields)[field];
  return typeof value === 'string' ? value : '';
}

/** The subject as hooks of another event know it. */
function subjectAs(group: Group, event: Event): string {
  const seen = seenAs(event, group);
  return seen === null ? '' : subjectOf(seen);
}

/** All that selection looks at beside the subject. Where there is nothing else, the host's name for the tool as it stands. */
function restOf(event: Event, standIns: readonly Group[]): string {
  let rest = event.native?.tool ?? '';
  for (const group of standIns) rest += `\0${subjectAs(group, event)}`;
  if (isCompound(event.payload)) rest += `\0${actsOf(event.payload as Fields).map(({ tool }) => tool)}`;
  return rest;
}

/** The hooks that are about this event, or about an act in it. What a condition says is asked later, about each value. */
function meantIn(group: Group, event: Event, parts: Parts): readonly Hook[] {
  const { whole, acts } = sightOf(event, group);
  const known = whole ?? ({ ...event, payload: {} } as Event); // whether it is this event is asked later, about each value
  const tests = [known, ...acts].flatMap((act) => (act === null ? [] : [fitsTo(group, act, parts)]));
  return group.hooks.filter((hook) => tests.some((fits) => fits(hook)));
}

/** What a hook is shown of the event; nothing when it is about none of it. */
export function viewsFor(hook: Hook, group: Group, sight: Sight, parts: Parts): readonly Event[] {
  const isNow = (one: Hook, event: Event) => isAsked(one, group.dialect, event);
  const isAbout = (one: Hook, event: Event) => fitsTo(group, event, parts)(one) && isNow(one, event);
  return viewsOf(hook, group, sight, sight.acts.length === 0 ? isNow : isAbout);
}

/**
 * The event is told in the group's words already. Words are compared with every spelling of a tool; a pattern is tested against its dialect's own spelling, so that
 * "everything but Bash" still means that where the shell goes by another name.
 */
function fitsTo({ dialect, as }: Group, event: Event, parts: Parts): (hook: Hook) => boolean {
  const subject = subjectOf(event);
  const isTool = rowOf(as).subject === 'tool';
  const said = isTool ? (event.native?.tool ?? subject) : subject;
  // By the name of one act a host may call several of them: who names the act is asked about each.
  const whole = isCompound(event.payload) ? subject : said;
  const words = new Set([whole, ...((isTool ? parts.spellings?.(subject) : undefined) ?? [subject])]);
  const own = isTool ? namesIn(dialect.tools, subject) : [];
  const ofServers = isTool ? (parts.mcpTools?.(subject) ?? []) : [];
  const theirs = own.length > 0 ? own : ofServers.map((one) => mcpName(one, dialect.tools.mcp));
  const names = theirs.length > 0 ? theirs : [said];
  return ({ match }) => {
    if (match.kind === 'any') return true;
    if (match.kind === 'names') return match.names.some((name) => words.has(name));
    return names.some((name) => tests(match.test, name));
  };
}

/** In doubt the hook runs. */
function tests(pattern: (subject: string) => boolean, name: string): boolean {
  try {
    return pattern(name);
  } catch {
    return true;
  }
}
