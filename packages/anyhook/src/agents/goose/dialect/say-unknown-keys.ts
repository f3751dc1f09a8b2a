import { sayUnknown, type Spot } from '../../../events/checker.ts';
import type { Place } from '../../../events/dialect.ts';

/** Keys nobody reads here; another agent's file may hold them for its own reasons. */
export function sayUnknownKeys(spot: Spot, known: readonly string[], { owner }: Pick<Place, 'owner'>): void {
  if (owner !== undefined) return;
  for (const key of Object.keys(spot.value as object))
    if (!known.includes(key)) sayUnknown(spot.part(key), key, known, 'warning');
}
