/** One entry of `disabled`: a hook's id, and what it ran when it was switched off. */

import { object, type Shape, text } from '../../../events/checker.ts';

export interface SwitchedOff {
  readonly id: string;
  /** If set, the entry only applies to a hook that still runs this. */
  readonly runs?: string;
}

const ENTRY = object({ id: text, runs: text });

export const switchedOff: Shape<SwitchedOff> = (spot) => {
  if (typeof spot.value === 'string') {
    const id = text(spot);
    return id === undefined ? undefined : { id };
  }
  const { id, runs } = ENTRY(spot) ?? {};
  if (id === undefined) {
    spot.report('bad-value', 'does not name a hook', { remedy: 'Use the id from `anyhook list --json`.' });
    return undefined;
  }
  return { id, ...(runs !== undefined && { runs }) };
};
