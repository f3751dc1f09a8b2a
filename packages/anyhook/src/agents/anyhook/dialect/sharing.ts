import type { Sharing } from '../../../events/dialect.ts';

/** In turn, each sees what the one before it changed; the first refusal ends it, because nothing is left to judge. */
const IN_TURN: Sharing = Object.freeze({
  order: 'in-turn',
  sees: 'so-far',
  stopsOn: Object.freeze(['deny', 'cancel'] as const),
  keep: 'all',
});
export const sharing = (): Sharing => IN_TURN;
