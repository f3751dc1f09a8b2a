import { DIALECTS } from '../dialects.ts';
import { notAnEvent, readEventWord } from '../events/native-names.ts';
import type { EventName } from '../events/events.ts';
import { UsageError } from './usage.ts';

/** An event by our name or any agent's (`PreToolUse`, `tool.pre`); a slip, or a word for several, is wrong use. */
export function eventNamed(command: string, word: string): EventName {
  const read = readEventWord(word, DIALECTS);
  if (read.kind === 'event') return read.event;
  throw new UsageError(`${command}: ${notAnEvent(word, read)}`);
}
