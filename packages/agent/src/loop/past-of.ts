/** Replays a stored session as happenings, for a screen that opens it later. */

import type { Happening } from '../front/happening.ts';
import type { Entry } from '../session/entry.ts';
import { type Message, textOf } from '../session/message.ts';
import type { Session } from '../session/session.ts';

export const pastOf = (session: Session): Happening[] => session.branch().flatMap(happeningsOf);

function happeningsOf(entry: Entry): Happening[] {
  if (entry.type === 'message') return ofMessage(entry.message);
  if (entry.type === 'custom_message' && entry.display) {
    const { customType, content, display, details } = entry;
    return [{ kind: 'custom', type: customType, message: { customType, content, display, details } }];
  }
  if (entry.type === 'compaction' || entry.type === 'branch_summary')
    return [{ kind: 'notice', level: 'info', text: `summary: ${entry.summary}` }];
  return [];
}

function ofMessage(message: Message): Happening[] {
  if (message.role === 'user') return [{ kind: 'prompt', text: textOf(message) }];
  if (message.role === 'toolResult')
    return [
      {
        kind: 'tool-ended',
        call: message.toolCallId,
        tool: message.toolName,
        output: textOf(message),
        isError: message.isError,
      },
    ];
  if (message.role !== 'assistant') return [];
  return message.content.flatMap((part): Happening[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ kind: 'said', text: part.text }];
    if (part.type === 'thinking') return [];
    return [{ kind: 'tool', call: part.id, tool: part.name, input: part.arguments }];
  });
}
