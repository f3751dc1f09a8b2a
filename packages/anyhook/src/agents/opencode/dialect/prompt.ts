/** `chat.message`: a prompt is a message with parts in OpenCode, and a text with optional parts here. */

import { diff, isPlain, same } from '../../../events/changes.ts';
import { pieceOf } from '../../../events/conversation.ts';
import type { Effect, Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { providerOf } from './model.ts';
import { partId } from './part-id.ts';
import { partOf, pieceFrom } from './part.ts';
import type { Row } from './row.ts';
import { sessionIn, timeOf } from './whereabouts.ts';

export const prompt: Row = {
  write(load, event) {
    const message = messageOf(load, event);
    const { id, model, agent } = message;
    return {
      input: {
        sessionID: sessionIn(event),
        agent: event.scene.agentType ?? agent ?? 'build',
        ...(typeof id === 'string' && { messageID: id }),
        ...(isPlain(model) && { model }),
      },
      output: { message, parts: shownParts(load, sessionIn(event), String(id ?? '')) },
    };
  },
  changes(after, shown, event): Effect[] | string {
    if (!Array.isArray(after['parts'])) return "the resulting 'parts' are not a list";
    const left = after['parts'] as unknown[];
    const message = diff('message', shown['message'], after['message']);
    if (same(shown['parts'], left)) return message;
    const before = textIn(shown['parts'] as unknown[]);
    const load = event.payload as Fields;
    return [
      ...diff('prompt', before, textIn(left)),
      ...diff('parts', load['parts'], ownParts(left, shown['parts'] as Fields[], load)),
      ...message,
    ];
  },
  read: (_input, { message, parts }) => ({
    prompt: textIn(Array.isArray(parts) ? parts : []),
    ...(message !== undefined && { message }),
    ...(Array.isArray(parts) && { parts }),
  }),
};

/** The message in OpenCode's format: the native one, or one built from the host's data. */
export function messageOf(load: Fields, event: Event): Fields {
  const native: Fields = isPlain(load['message']) ? load['message'] : {};
  if (typeof native['sessionID'] === 'string') return native;
  const { scene } = event;
  const sessionID = sessionIn(event);
  const {
    id = `msg_${sessionID}`,
    timestamp = timeOf(event),
    provider = providerOf(load, event)['id'],
    model = scene.model ?? '',
  } = native;
  return {
    id,
    sessionID,
    role: 'user',
    time: { created: timestamp },
    agent: scene.agentType ?? 'build',
    model: { providerID: provider, modelID: model },
  };
}

/**
 * The host's parts, or one built from the prompt. If a hook of another dialect changed only the prompt, the prompt
 * replaces the texts among the parts.
 */
function partsIn({ parts, prompt: said }: Fields): readonly unknown[] {
  const [list, text] = [Array.isArray(parts) ? (parts as unknown[]) : [], String(said ?? '')];
  if (textIn(list) === text && (list.length > 0 || text === '')) return list;
  const first = list.find(isText) ?? { type: 'text' };
  return [{ ...first, text }, ...list.filter((part) => !isText(part))];
}

const shownParts = (load: Fields, sessionID: string, messageID: string): Fields[] =>
  partsIn(load).map((part, place) => {
    const id = partId(messageID, place);
    const piece = pieceOf(part);
    const own = isPlain(part) && piece.kind !== 'image' ? part : partOf(piece);
    return { id, sessionID, messageID, ...own };
  });

/** Unchanged parts are the host's own. Ids are only added if the host's parts have them. */
function ownParts(left: readonly unknown[], shown: readonly Fields[], load: Fields): unknown[] {
  const had = partsIn(load);
  const isTheirs = had.some((part) => isPlain(part) && part['messageID'] !== undefined);
  return left.map((part) => {
    if (!isPlain(part) || isTheirs) return part;
    const place = shown.findIndex(({ id }) => id === part['id']);
    if (place !== -1 && same(shown[place], part)) return had[place];
    const { id: _id, sessionID: _session, messageID: _message, ...rest } = part;
    const piece = pieceFrom(part);
    return piece.kind === 'image' ? { type: 'image', data: piece.data, mimeType: piece.mimeType } : rest;
  });
}

/** Appends a part after the user's own, marked as synthetic. OpenCode sorts parts by id. */
export function withContext({ message, parts }: Fields, text: string): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(parts) ? parts : [];
  const last = list.findLast(isPlain) ?? {};
  const { id: messageID = '', sessionID = '' } = isPlain(message) ? message : {};
  const id = `${String(last['id'] ?? `prt_${String(messageID)}`)}z`;
  return [...list, { sessionID, messageID, ...last, id, type: 'text', text, synthetic: true }];
}

const isText = (part: unknown): part is Fields => isPlain(part) && part['type'] === 'text';
const textIn = (parts: readonly unknown[]): string =>
  parts.flatMap((part) => (isText(part) ? [String(part['text'] ?? '')] : [])).join('\n');
