import { slotsByEvent } from './by-event.ts';
import type { EffectKind } from './effects.ts';
import { type EventName, rowOf } from './events.ts';
import type { Role } from './hook.ts';

const DECISIONS: ReadonlySet<EffectKind> = new Set(['deny', 'ask', 'cancel', 'resume', 'halt', 'retry']);

/** Returns the default roles of a hook on an event. All hooks of the event share one list. */
export const rolesOn = (name: EventName): readonly Role[] =>
  (usual[name] ??= Object.freeze(rolesBy(rowOf(name))));
const usual = slotsByEvent<readonly Role[]>();

function rolesBy({ effects, mutable }: ReturnType<typeof rowOf>): readonly Role[] {
  const roles: Role[] = [];
  if (effects.some((kind) => DECISIONS.has(kind))) roles.push('guard');
  if (mutable.length > 0) roles.push('mutator');
  return roles.length > 0 ? roles : OBSERVES;
}
/** Roles of a hook that only watches. */
export const OBSERVES: readonly Role[] = Object.freeze<Role[]>(['observer']);

/** Returns true for an observer, which may neither decide nor change. */
export const onlyWatches = (roles: readonly Role[]): boolean =>
  !roles.includes('guard') && !roles.includes('mutator');

/** Returns the effect that refuses an event, or null if it cannot be refused. */
export function refusalOn(name: EventName): 'deny' | 'cancel' | 'halt' | null {
  const { effects } = rowOf(name);
  return (['deny', 'cancel', 'halt'] as const).find((kind) => effects.includes(kind)) ?? null;
}

/** Returns true if the announced action can still be refused. */
export const decides = (name: EventName): boolean => rowOf(name).effects.includes('deny');
