import type { ShapedGap } from '../../shared/command-shaped/gap.ts';
import { grokEvents } from './events.ts';

export const GAPS: readonly ShapedGap[] = [
  {
    what: 'Hooks on most events cannot answer',
    reason: 'the agent does not read refusals on these events',
    answers: Object.entries(grokEvents).flatMap(([word, { block }]) => (block === null ? [word] : [])),
  },
];
