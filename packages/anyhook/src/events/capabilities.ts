import type { EffectKind, Gift } from './effects.ts';
import { EVENT_NAMES, EVENTS, type EffectFor, type EventName } from './events.ts';

/** What a host can do with an effect. An effect that is not listed is lost, and the outcome reports it. */
export type Grade = PlainGrade | { readonly only: readonly Gift[] };
type PlainGrade = 'full' | { readonly as: 'deny' | 'notice' };
type GradeOf<K extends EffectKind> = K extends 'give' ? Grade : PlainGrade;
/** Only effects that count on an event can have a grade. */
export type Capabilities = {
  readonly [E in EventName]?: { readonly [K in EffectFor<E>['kind']]?: GradeOf<K> };
};

/** The grades of one event, indexed by any effect. */
export type Grades = { readonly [K in EffectKind]?: GradeOf<K> };

/** Returns the events that a host with these capabilities lacks. */
export const lacksOf = (can: Capabilities): readonly EventName[] =>
  EVENT_NAMES.filter((name) => can[name] === undefined);

/** Capabilities of a host that supports every effect of every event. */
export const EVERYTHING: Capabilities = Object.freeze(
  Object.fromEntries(
    Object.entries(EVENTS).map(([name, row]) => [
      name,
      Object.freeze(Object.fromEntries(row.effects.map((kind) => [kind, 'full' as const]))),
    ]),
  ),
) as Capabilities;

/** Reduces capabilities to refusals. Used for a host until its real version is known. */
export const onlyRefusals = (can: Capabilities): Capabilities =>
  Object.fromEntries(
    Object.entries(can).map(([name, grades]) => [
      name,
      Object.fromEntries(
        Object.entries(grades).flatMap(([kind, grade]) => (BELIEVED.has(kind) ? [[kind, grade]] : [])),
      ),
    ]),
  );
const BELIEVED: ReadonlySet<string> = new Set<EffectKind>(['deny', 'resume', 'cancel']);
