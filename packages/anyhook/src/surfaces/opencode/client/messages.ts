/** The host's session entries as OpenCode's messages. */
import type { Fields } from '../../../canon/effects.ts';
import { isFields } from '../../../canon/fields.ts';

export interface ClientMessage {
  readonly info: Fields;
  readonly parts: readonly Fields[];
}

export function messagesOf(entries: readonly unknown[], session: string, directory: string): ClientMessage[] {
  const results = resultsIn(entries);
  return entries.flatMap((entry, index): ClientMessage[] => {
    if (!isFields(entry)) return [];
    if (isFields(entry['info']) && Array.isArray(entry['parts'])) return [entry as unknown as ClientMessage];
    const message = isFields(entry['message']) ? entry['message'] : entry;
    const { role } = message;
    if (role !== 'user' && role !== 'assistant') return [];
    const id = typeof entry['id'] === 'string' ? entry['id'] : `msg_${index}`;
    const created = timeOf(entry['timestamp'] ?? message['timestamp']);
    const base = { id, sessionID: session, time: { created } };
    const info = role === 'user' ? { ...base, ...USER } : { ...base, ...assistant(message, directory) };
    const parts = contentOf(message).map((content, position) => ({
      id: `${id}_${position}`,
      sessionID: session,
      messageID: id,
      ...partOf(content, results),
    }));
    return [{ info, parts }];
  });
}

const USER = { role: 'user', agent: 'build', model: { providerID: '', modelID: '' } };

const assistant = (message: Fields, directory: string): Fields => ({
  role: 'assistant',
  parentID: '',
  modelID: String(message['model'] ?? ''),
  providerID: String(message['provider'] ?? ''),
  mode: 'build',
  path: { cwd: directory, root: directory },
  cost: 0,
  tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
});

function partOf(content: Fields, results: ReadonlyMap<unknown, Fields>): Fields {
  switch (content['type']) {
    case 'text':
      return { type: 'text', text: content['text'] };
    case 'thinking':
    case 'reasoning':
      return { type: 'reasoning', text: content['thinking'] ?? content['text'] ?? '', time: { start: 0 } };
    case 'toolCall':
    case 'tool-call': {
      const callID = content['id'] ?? content['toolCallId'];
      const input = content['arguments'] ?? content['input'] ?? {};
      const state = stateOf(input, results.get(callID));
      return { type: 'tool', callID, tool: content['name'] ?? content['toolName'], state };
    }
    default:
      return { ...content };
  }
}

function stateOf(input: unknown, result: Fields | undefined): Fields {
  if (result === undefined) return { status: 'pending', input, raw: '' };
  const text = contentOf(result)
    .map((content) => content['text'] ?? '')
    .join('\n');
  const time = { start: 0, end: 0 };
  if (result['isError'] === true) return { status: 'error', input, error: text, time };
  return { status: 'completed', input, output: text, title: '', metadata: result['details'] ?? {}, time };
}

function resultsIn(entries: readonly unknown[]): Map<unknown, Fields> {
  const results = new Map<unknown, Fields>();
  for (const entry of entries) {
    const message = isFields(entry) && isFields(entry['message']) ? entry['message'] : entry;
    if (isFields(message) && message['role'] === 'toolResult') results.set(message['toolCallId'], message);
  }
  return results;
}

function contentOf({ content }: Fields): Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isFields) : [];
}

const timeOf = (stamp: unknown): number =>
  typeof stamp === 'number' ? stamp : typeof stamp === 'string' ? Date.parse(stamp) || 0 : 0;
