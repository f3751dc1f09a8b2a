import { sayUnknown, type Spot } from '../../../events/checker.ts';
import type { Place } from '../../../events/dialect.ts';

/** Reports unknown keys. In files of other agents they are accepted. */
export function sayUnknownKeys(spot: Spot, known: readonly string[], { owner }: Pick<Place, 'owner'>): void {
  if (owner !== undefined) return;
  for (const key of Object.keys(spot.value as object))
    if (!known.includes(key)) sayUnknown(spot.part(key), key, known, 'warning');
}
