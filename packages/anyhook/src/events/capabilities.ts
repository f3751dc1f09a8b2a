import type { EffectKind, Gift } from './effects.ts';
import { EVENT_NAMES, EVENTS, type EffectFor, type EventName } from './events.ts';

/** What a host can really do with an effect; an effect that is not listed is lost, and the outcome says so. */
export type Grade = PlainGrade | { readonly only: readonly Gift[] };
type PlainGrade = 'full' | { readonly as: 'deny' | 'notice' };
type GradeOf<K extends EffectKind> = K extends 'give' ? Grade : PlainGrade;
/** Only what counts on an event can be said of it. */
export type Capabilities = {
  readonly [E in EventName]?: { readonly [K in EffectFor<E>['kind']]?: GradeOf<K> };
};

/** The grades of one event, looked up by any effect. */
export type Grades = { readonly [K in EffectKind]?: GradeOf<K> };

/** Events that such a host does not have. */
export const lacksOf = (can: Capabilities): readonly EventName[] =>
  EVENT_NAMES.filter((name) => can[name] === undefined);

/** Every effect of every row: for a host that does all of it. */
export const EVERYTHING: Capabilities = Object.freeze(
  Object.fromEntries(
    Object.entries(EVENTS).map(([name, row]) => [
      name,
      Object.freeze(Object.fromEntries(row.effects.map((kind) => [kind, 'full' as const]))),
    ]),
  ),
) as Capabilities;

/** Of what a dialect can say, the refusals: all that is believed of a host before it was seen. */
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
