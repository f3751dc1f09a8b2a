/** `chat.message`: a prompt is a message and its parts there, a text and perhaps parts here. */
import { diff, isPlain } from '../../canon/changes.ts';
import type { Effect, Fields } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import type { Row } from './row.ts';

export const prompt: Row = {
  write(load, event) {
    const { session } = event.ids;
    const message = isPlain(load['message']) ? load['message'] : blankMessage(event);
    const messageID = String(message['id'] ?? '');
    return {
      input: {
        sessionID: session,
        agent: event.scene.agentType ?? 'build',
        ...(messageID !== '' && { messageID }),
        ...(isPlain(message['model']) && { model: message['model'] }),
      },
      output: { message, parts: partsOf(load, session, messageID) },
    };
  },
  changes(after, shown): Effect[] | string {
    if (!Array.isArray(after['parts'])) return "the 'parts' it left are no list";
    const parts = diff('parts', shown['parts'], after['parts']);
    const text = textIn(after['parts'] as unknown[]);
    const said = textIn(shown['parts'] as unknown[]);
    return [
      ...(parts.length > 0 ? diff('prompt', said, text) : []),
      ...parts,
      ...diff('message', shown['message'], after['message']),
    ];
  },
  read: (_input, { message, parts }) => ({
    prompt: textIn(Array.isArray(parts) ? parts : []),
    ...(message !== undefined && { message }),
    ...(Array.isArray(parts) && { parts }),
  }),
};

const blankMessage = ({ ids, scene }: Event): Fields => ({
  id: `msg_${ids.session}`,
  sessionID: ids.session,
  role: 'user',
  time: { created: 0 },
  agent: scene.agentType ?? 'build',
  model: { providerID: '', modelID: scene.model ?? '' },
});

function partsOf(load: Fields, sessionID: string, messageID: string): readonly unknown[] {
  const { parts, prompt: text } = load;
  if (Array.isArray(parts) && (parts.length > 0 || text === '')) return parts;
  return [{ id: `prt_${messageID}`, sessionID, messageID, type: 'text', text: String(text ?? '') }];
}

/** A part behind the person's own, marked as nobody's typing. OpenCode sorts parts by their ids. */
export function withContext({ message, parts }: Fields, text: string): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(parts) ? parts : [];
  const last = list.findLast(isPlain) ?? {};
  const { id: messageID = '', sessionID = '' } = isPlain(message) ? message : {};
  const id = `${String(last['id'] ?? `prt_${String(messageID)}`)}z`;
  return [...list, { sessionID, messageID, ...last, id, type: 'text', text, synthetic: true }];
}

const textIn = (parts: readonly unknown[]): string =>
  parts
    .flatMap((part) => (isPlain(part) && part['type'] === 'text' ? [String(part['text'] ?? '')] : []))
    .join('\n');
