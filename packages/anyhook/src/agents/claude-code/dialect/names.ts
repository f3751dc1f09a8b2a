import { wordsByMoment } from '../../shared/claude-shaped/words.ts';
import { CLAUDE_WORDS, claudeEvent } from './events.ts';

/** Our event → Claude Code's words; `null`: it fires nothing then. Read off the table. */
export const words = wordsByMoment(CLAUDE_WORDS, (word) => [claudeEvent(word).on]);
