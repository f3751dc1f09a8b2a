import type { ShapedGap } from '../../shared/command-shaped/gap.ts';
import { copilotEvents } from './events.ts';

export const GAPS: readonly ShapedGap[] = [
  {
    what: 'Most words are only told',
    reason: 'the agent reads no refusal there',
    answers: Object.entries(copilotEvents).flatMap(([word, { block }]) => (block === null ? [word] : [])),
  },
  {
    what: 'A camelCase hook is not told which event it is',
    reason: 'Copilot does not tell it either: its file says so',
    nameless: Object.keys(copilotEvents).filter((word) => /^[a-z]/.test(word)),
  },
];
