/**
 * Selects the hooks of an event and groups them by dialect. Compiled once, then looked up by event and
 * subject.
 */

import { actsOf, isCompound } from '../events/acts.ts';
import { slotsByEvent } from '../events/by-event.ts';
import { type Dialect, type Sharing } from '../events/dialect.ts';
import type { Fields } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import { EVENT_NAMES, type EventName, rowOf } from '../events/events.ts';
import type { Hook } from '../events/hook.ts';
import { namesIn } from '../events/lexicon.ts';
import { mcpName } from '../events/mcp-names.ts';
import { type Nearest, standInsFor } from '../events/nearest.ts';
import { isAsked } from './fit.ts';
import type { Parts } from './parts.ts';
import { eventFor, type EventView, eventViewOf, viewsOf } from './views.ts';

/** Hooks of one dialect and one native event name, and how they share the event. */
export interface Group {
  readonly dialect: Dialect;
  readonly sharing: Sharing;
  readonly hooks: readonly Hook[];
  /**
   * The event under which these hooks know it: the fired event, an event that the host lacks, or an event
   * that their agent reports instead.
   */
  readonly knownAs: EventName;
  /**
   * Converts the payload to the form that these hooks know. Returns null if the event does not concern them.
   * Absent if the payload stays as it is.
   */
  readonly toGroup?: Nearest['toMissing'];
  /** Converts their changes to fields of the fired event. Absent if the fields are the same. */
  readonly toFired?: Nearest['toFired'];
}
export interface EventPlan {
  readonly groups: readonly Group[];
  /** Hooks of this event whose matcher does not fit the subject. */
  readonly unmatched: readonly string[];
  /** Returns the position of a hook in the configured order of all hooks that may run. */
  readonly place: (id: string) => number;
}
export interface Plans {
  /** Returns undefined if no hook listens. */
  readonly of: (event: Event) => EventPlan | undefined;
  readonly wants: (name: EventName) => boolean;
}

/** Limits the cached plans, because tool names come from a model. */
const REMEMBERED = 1000;
/** A longer subject is a prompt rather than a name and is unlikely to recur, so its plan is not cached. */
const LONGEST = 256;

/** Everything that selection needs for one event. */
interface Planned {
  readonly whole: EventPlan;
  /** No hook has a matcher, so the subject makes no difference. */
  readonly takesAny: boolean;
  readonly standIns: readonly Group[];
  /** The payload field that matchers test. */
  readonly subject: string | null;
  readonly remembered: RememberedPlans;
}

/** Caches plans by subject and by everything else that selection reads (`rest`, usually empty). */
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
  // Most dialects have no hooks but have names for most events, so dialects without hooks are left out.
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
      standIns: whole.groups.filter(({ toGroup }) => toGroup !== undefined),
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
    const plan = chosenFrom(whole, (group) => matchingHooks(group, event, parts));
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

/**
 * Makes one group per dialect and native event name, in the fixed order of the dialects. Adding a hook never
 * reorders the others.
 */
function groupsOf(
  name: EventName,
  dialects: readonly Dialect[],
  hooksOf: HooksOf,
  missing: readonly GroupView[],
): Group[] {
  const group = (dialect: Dialect, groupView: GroupView): Group[] =>
    (dialect.words[groupView.knownAs] ?? []).flatMap((word) => {
      const hooks = hooksOf(dialect, word);
      return hooks.length === 0 ? [] : [{ dialect, sharing: dialect.sharing(word), hooks, ...groupView }];
    });
  return [
    ...dialects.flatMap((dialect) =>
      groupViews(name, dialect).flatMap((groupView) => group(dialect, groupView)),
    ),
    ...missing.flatMap((groupView) => dialects.flatMap((dialect) => group(dialect, groupView))),
  ];
}

/** For each fired event, lists the missing events whose hooks run at it. */
function missingEvents(lacks: readonly EventName[]): ReadonlyMap<EventName, readonly GroupView[]> {
  const found = new Map<EventName, GroupView[]>();
  for (const event of lacks)
    for (const { fired, nearest } of standInsFor(event, lacks)) {
      const { toMissing: toGroup, toFired } = nearest;
      const groupView: GroupView = { knownAs: event, toGroup, ...(toFired && { toFired }) };
      found.set(fired, [...(found.get(fired) ?? []), groupView]);
    }
  return found;
}
type GroupView = Pick<Group, 'knownAs' | 'toGroup' | 'toFired'>;

/**
 * Puts hooks with `isFirst` into groups of their own at the front. If there is only one group, sorts them
 * first in it.
 */
function firstOf(groups: readonly Group[]): Group[] {
  const those = ({ hooks }: Group, isFirst: boolean) =>
    hooks.filter((hook) => (hook.isFirst === true) === isFirst);
  if (groups.length < 2)
    return groups.map((group) => ({ ...group, hooks: [...those(group, true), ...those(group, false)] }));
  return [true, false].flatMap((isFirst) =>
    groups.map((group) => ({ ...group, hooks: those(group, isFirst) })),
  );
}

/** Returns the events under which a dialect knows this event. */
function groupViews(event: EventName, { substitutes: retells }: Dialect): GroupView[] {
  const substitute = retells?.[event];
  if (substitute === undefined) return [{ knownAs: event }];
  return [
    { knownAs: event, toGroup: (payload) => (substitute.convert(payload) === null ? payload : null) },
    { knownAs: substitute.as, toGroup: substitute.convert },
  ];
}

const everything = (groups: readonly Group[]): EventPlan => ({
  groups: groups.filter(({ hooks }) => hooks.length > 0),
  unmatched: [],
  place: placesIn(groups),
});

function chosenFrom(whole: EventPlan, matchingHooks: (group: Group) => readonly Hook[]): EventPlan {
  const groups = whole.groups
    .map((group) => ({ ...group, hooks: matchingHooks(group) }))
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

/** Builds the order on first use. It is only needed when a hook answers. */
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

/** Returns the subject in the form that hooks of another event know. */
function subjectAs(group: Group, event: Event): string {
  const eventForGroup = eventFor(event, group);
  return eventForGroup === null ? '' : subjectOf(eventForGroup);
}

/**
 * Returns everything that selection reads besides the subject. In the simplest case, this is the host's name
 * for the tool.
 */
function restOf(event: Event, standIns: readonly Group[]): string {
  let rest = event.native?.tool ?? '';
  for (const group of standIns) rest += `\0${subjectAs(group, event)}`;
  if (isCompound(event.payload)) rest += `\0${actsOf(event.payload as Fields).map(({ tool }) => tool)}`;
  return rest;
}

/**
 * Returns the hooks whose matcher selects the event or one of its acts. Conditions (`when`) are checked
 * later, on each value.
 */
function matchingHooks(group: Group, event: Event, parts: Parts): readonly Hook[] {
  const { whole, acts } = eventViewOf(event, group);
  const known = whole ?? ({ ...event, payload: {} } as Event); // whether the event concerns the group is checked later, on each value
  const tests = [known, ...acts].flatMap((act) => (act === null ? [] : [fitsTo(group, act, parts)]));
  return group.hooks.filter((hook) => tests.some((fits) => fits(hook)));
}

/** Returns the views of the event that a hook receives, or none if the hook does not match. */
export function viewsFor(hook: Hook, group: Group, sight: EventView, parts: Parts): readonly Event[] {
  const isNow = (one: Hook, event: Event) => isAsked(one, group.dialect, event);
  const isAbout = (one: Hook, event: Event) => fitsTo(group, event, parts)(one) && isNow(one, event);
  return viewsOf(hook, group, sight, sight.acts.length === 0 ? isNow : isAbout);
}

/**
 * Expects an event in the group's form. A plain name is compared with every spelling of a tool. A pattern is
 * tested only against the name in its own dialect, so that "everything but Bash" keeps its meaning in agents
 * where the shell has another name.
 */
function fitsTo({ dialect, knownAs }: Group, event: Event, parts: Parts): (hook: Hook) => boolean {
  const subject = subjectOf(event);
  const isTool = rowOf(knownAs).subject === 'tool';
  const hostName = isTool ? (event.native?.tool ?? subject) : subject;
  // Some hosts use the name of a single act for a compound call. A hook that names the act then runs once per
  // act.
  const whole = isCompound(event.payload) ? subject : hostName;
  const words = new Set([whole, ...((isTool ? parts.spellings?.(subject) : undefined) ?? [subject])]);
  const own = isTool ? namesIn(dialect.tools, subject) : [];
  const ofServers = isTool ? (parts.mcpTools?.(subject) ?? []) : [];
  const theirs = own.length > 0 ? own : ofServers.map((one) => mcpName(one, dialect.tools.mcp));
  const names = theirs.length > 0 ? theirs : [hostName];
  return ({ match }) => {
    if (match.kind === 'any') return true;
    if (match.kind === 'names') return match.names.some((name) => words.has(name));
    return names.some((name) => tests(match.test, name));
  };
}

/** If the pattern throws, the hook runs. */
function tests(pattern: (subject: string) => boolean, name: string): boolean {
  try {
    return pattern(name);
  } catch {
    return true;
  }
}
