/** Which hooks an event goes to, in which groups. Compiled once; looked up per event and subject. */
import { type Dialect, type Manner } from '../canon/dialect.ts';
import type { Fields } from '../canon/effects.ts';
import type { Event } from '../canon/event.ts';
import { EVENT_NAMES, type EventName, rowOf } from '../canon/events.ts';
import type { Hook } from '../canon/hook.ts';
import { namesIn } from '../canon/lexicon.ts';
import { NEAREST } from '../canon/nearest.ts';
import type { Parts } from './parts.ts';

/** Hooks of one dialect and one of its words, and how they share the event. */
export interface Group {
  readonly dialect: Dialect;
  readonly manner: Manner;
  readonly hooks: readonly Hook[];
  /** The moment as these hooks know it: the event's own name, or one that the host lacks. */
  readonly as: EventName;
}
export interface Plan {
  readonly groups: readonly Group[];
  /** Hooks of this event whose matcher does not fit the subject. */
  readonly unmatched: readonly string[];
  /** Configured order of every hook that may run. */
  readonly place: ReadonlyMap<string, number>;
}
export interface Plans {
  /** `undefined`: nobody listens. */
  readonly of: (event: Event) => Plan | undefined;
  readonly wants: (name: EventName) => boolean;
}

/** Tool names come from a model: what is remembered about them is bounded. */
const REMEMBERED = 1000;

export function makePlans(parts: Parts): Plans {
  const whole: Partial<Record<EventName, Plan>> = {};
  const known: Partial<Record<EventName, Map<string, Plan>>> = {};
  for (const name of EVENT_NAMES) {
    const plan = planFor(groupsOf(name, parts), () => true);
    if (plan.groups.length > 0) [whole[name], known[name]] = [plan, new Map()];
  }
  return {
    wants: (name) => whole[name] !== undefined,
    of(event) {
      const all = whole[event.name];
      if (all === undefined) return undefined;
      const subject = subjectOf(event);
      const key = event.native === undefined ? subject : `${subject}\0${event.native.tool}`;
      const cache = known[event.name]!;
      let plan = cache.get(key);
      if (plan === undefined) {
        plan = planFor(all.groups, (hook, dialect) => fits(hook, dialect, event, subject, parts));
        if (cache.size >= REMEMBERED) cache.clear();
        cache.set(key, plan);
      }
      return plan;
    },
  };
}

/** One group per dialect and word, in the fixed order of the dialects: one more hook never reorders the others. */
function groupsOf(name: EventName, { dialects, hooks, lacks = [] }: Parts): Group[] {
  const moments = [name, ...lacks.filter((missing) => NEAREST[missing]?.at === name)];
  return moments.flatMap((as) =>
    dialects.flatMap((dialect) =>
      (dialect.words[as] ?? []).map((word) => ({
        dialect,
        as,
        manner: dialect.manner(word),
        hooks: hooks.filter((hook) => hook.dialect === dialect.name && hook.on === word),
      })),
    ),
  );
}

function planFor(groups: readonly Group[], keeps: (hook: Hook, dialect: Dialect) => boolean): Plan {
  const chosen = groups
    .map((group) => ({ ...group, hooks: group.hooks.filter((hook) => keeps(hook, group.dialect)) }))
    .filter((group) => group.hooks.length > 0);
  const ids = new Set(chosen.flatMap((group) => group.hooks.map((hook) => hook.id)));
  return {
    groups: chosen,
    unmatched: Object.freeze(groups.flatMap((g) => g.hooks.map((h) => h.id)).filter((id) => !ids.has(id))),
    place: new Map([...ids].map((id, i) => [id, i])),
  };
}

export function subjectOf(event: Event): string {
  const { subject } = rowOf(event.name);
  const value = subject === null ? undefined : (event.payload as Fields)[subject];
  return typeof value === 'string' ? value : '';
}

/**
 * Words are compared with every spelling of a tool; a pattern is tested against its dialect's own spelling, so that
 * "everything but Bash" still means that where the shell goes by another name.
 */
function fits({ match }: Hook, dialect: Dialect, event: Event, subject: string, parts: Parts): boolean {
  if (match.kind === 'any') return true;
  const said = event.native?.tool ?? subject;
  if (match.kind === 'names') {
    const spellings = parts.spellings?.(subject) ?? [subject];
    return match.names.some((name) => name === said || spellings.includes(name));
  }
  const own = rowOf(event.name).subject === 'tool' ? namesIn(dialect.tools, subject) : [];
  return (own.length > 0 ? own : [said]).some((name) => match.test(name));
}
