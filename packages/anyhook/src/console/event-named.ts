import { DIALECTS } from '../dialects.ts';
import type { EventName } from '../events/events.ts';
import { notAnEvent, readEventWord } from '../events/native-names.ts';
import { UsageError } from './usage.ts';

/** Finds an event by our name or any agent's (`PreToolUse`, `tool.pre`). A typo or an ambiguous name is a usage error. */
export function eventNamed(command: string, word: string): EventName {
  const read = readEventWord(word, DIALECTS);
  if (read.kind === 'event') return read.event;
  throw new UsageError(`${command}: ${notAnEvent(word, read)}`);
}
