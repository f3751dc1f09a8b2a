import type { ShapedGap } from '../../shared/command-shaped/gap.ts';
import { copilotEvents } from './events.ts';

export const GAPS: readonly ShapedGap[] = [
  {
    what: 'Hooks on most events cannot answer',
    reason: 'the agent does not read refusals on these events',
    answers: Object.entries(copilotEvents).flatMap(([word, { block }]) => (block === null ? [word] : [])),
  },
  {
    what: 'The payload of a camelCase hook does not name the event',
    reason: 'Copilot does not send it either; the settings entry names the event',
    nameless: Object.keys(copilotEvents).filter((word) => /^[a-z]/.test(word)),
  },
];
