import type { ShapedGap } from '../../shared/command-shaped/gap.ts';
import { qwenEvents } from './events.ts';

export const GAPS: readonly ShapedGap[] = [
  {
    what: 'Most words are only told',
    reason: 'the agent reads no refusal there',
    answers: Object.entries(qwenEvents).flatMap(([word, { block }]) => (block === null ? [word] : [])),
  },
];
