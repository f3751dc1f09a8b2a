import { slotsByEvent } from './by-event.ts';
import type { EffectKind } from './effects.ts';
import { type EventName, rowOf } from './events.ts';
import type { Role } from './hook.ts';

const DECISIONS: ReadonlySet<EffectKind> = new Set(['deny', 'ask', 'cancel', 'resume', 'halt', 'retry']);

/** What a hook is taken to be on an event when its author did not say: one list for all hooks of the event. */
export const rolesOn = (name: EventName): readonly Role[] =>
  (usual[name] ??= Object.freeze(rolesBy(rowOf(name))));
const usual = slotsByEvent<readonly Role[]>();

function rolesBy({ effects, mutable }: ReturnType<typeof rowOf>): readonly Role[] {
  const roles: Role[] = [];
  if (effects.some((kind) => DECISIONS.has(kind))) roles.push('guard');
  if (mutable.length > 0) roles.push('mutator');
  return roles.length > 0 ? roles : OBSERVES;
}
/** Of whoever only watches. */
export const OBSERVES: readonly Role[] = Object.freeze<Role[]>(['observer']);

/** True for a hook that may neither decide nor change: an observer. */
export const onlyWatches = (roles: readonly Role[]): boolean =>
  !roles.includes('guard') && !roles.includes('mutator');

/** The effect by which an event is refused; null where nothing can be refused any more. */
export function refusalOn(name: EventName): 'deny' | 'cancel' | 'halt' | null {
  const { effects } = rowOf(name);
  return (['deny', 'cancel', 'halt'] as const).find((kind) => effects.includes(kind)) ?? null;
}

/** Can what is about to happen still be refused as such? */
export const decides = (name: EventName): boolean => rowOf(name).effects.includes('deny');
