import type { ShapedGap } from '../../shared/command-shaped/gap.ts';
import { grokEvents } from './events.ts';

export const GAPS: readonly ShapedGap[] = [
  {
    what: 'Most words are only told',
    reason: 'the agent reads no refusal there',
    answers: Object.entries(grokEvents).flatMap(([word, { block }]) => (block === null ? [word] : [])),
  },
];
