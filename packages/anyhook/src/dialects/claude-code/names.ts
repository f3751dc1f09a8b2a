import { EVENT_NAMES, type EventName } from '../../canon/events.ts';
import { CLAUDE_WORDS, type ClaudeWord, eventRow } from './events.ts';

/** Our moment → Claude Code's words; `null`: it fires nothing then. Read off the table. */
export const words = Object.freeze(
  Object.fromEntries(
    EVENT_NAMES.map((name) => {
      const theirs = CLAUDE_WORDS.filter((word) => eventRow(word).on === name);
      return [name, theirs.length === 0 ? null : Object.freeze(theirs)];
    }),
  ),
) as Readonly<Record<EventName, readonly ClaudeWord[] | null>>;
