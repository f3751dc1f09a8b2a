/** The host's session entries as OpenCode's messages: in the same shape, under the same ids, as hooks are shown them. */
import { isPlain } from '../../../canon/changes.ts';
import type { Fields } from '../../../canon/effects.ts';
import {
  type OpenCodeMessage,
  shownMessages,
  type Whereabouts,
} from '../../../dialects/opencode/messages.ts';

export function messagesOf(entries: readonly unknown[], where: Whereabouts): readonly OpenCodeMessage[] {
  return shownMessages(entries.flatMap(messageIn), where);
}

/** An entry holds a message, is one, or is about something else. */
function messageIn(entry: unknown): Fields[] {
  if (!isPlain(entry)) return [];
  if (!isPlain(entry['message'])) return entry['role'] !== undefined || isPlain(entry['info']) ? [entry] : [];
  const { id, timestamp } = entry;
  return [
    {
      ...(timestamp !== undefined && { timestamp }),
      ...entry['message'],
      ...(typeof id === 'string' && { id }),
    },
  ];
}
