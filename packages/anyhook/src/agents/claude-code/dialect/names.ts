import { wordsByMoment } from '../../shared/claude-shaped/words.ts';
import { CLAUDE_WORDS, claudeEvent } from './events.ts';

/** Maps our events to Claude Code's event names, derived from the table; `null`: no such event. */
export const words = wordsByMoment(CLAUDE_WORDS, (word) => [claudeEvent(word).on]);
