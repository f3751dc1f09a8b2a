/**
 * A conversation as OpenCode has it: `{ info, parts }`. Messages of a host that has others are shown so, and come back in the
 * host's own shape: what a plugin left alone is the very message it was.
 */
import { isPlain, same } from '../../canon/changes.ts';
import type { Fields } from '../../canon/effects.ts';

const isTheirs = (message: unknown): boolean => isPlain(message) && isPlain(message['info']);

export function shownMessages(messages: readonly unknown[], session: string): Fields[] {
  return messages.map((message, index) =>
    isTheirs(message) ? (message as Fields) : shownMessage(message, index, session),
  );
}

function shownMessage(message: unknown, index: number, sessionID: string): Fields {
  const said: Fields = isPlain(message) ? message : { content: String(message) };
  const id = `msg_${index}`;
  return {
    info: { id, sessionID, role: said['role'] ?? 'user', time: { created: 0 } },
    parts: contentOf(said).map((part, nth) => ({
      ...part,
      id: `prt_${index}_${nth}`,
      sessionID,
      messageID: id,
    })),
  };
}

const contentOf = ({ content }: Fields): Fields[] =>
  Array.isArray(content)
    ? content.map((part: unknown) => (isPlain(part) ? part : { type: 'text', text: String(part) }))
    : [{ type: 'text', text: String(content ?? '') }];

export function ownMessages(
  after: readonly unknown[],
  before: readonly unknown[],
  session: string,
): unknown[] {
  const shown = shownMessages(before, session);
  return after.map((message) => {
    if (!isPlain(message) || !isPlain(message['info'])) return message;
    const { id } = message['info'];
    const at = shown.findIndex(({ info }) => (info as Fields)['id'] === id);
    if (at !== -1 && same(shown[at], message)) return before[at];
    if (before.length > 0 && before.every(isTheirs)) return message;
    return ownMessage(message, at === -1 ? undefined : before[at]);
  });
}

function ownMessage({ info, parts }: Fields, before: unknown): Fields {
  const list = (Array.isArray(parts) ? parts : []).map((part: unknown) => withoutIds(part));
  const was: Fields = isPlain(before) ? before : {};
  const isText = !Array.isArray(was['content']) && list.every(({ type }) => type === 'text');
  const content = isText ? list.map(({ text }) => String(text ?? '')).join('\n') : list;
  return { ...was, role: (info as Fields)['role'] ?? 'user', content };
}

function withoutIds(part: unknown): Fields {
  if (!isPlain(part)) return { type: 'text', text: String(part) };
  const { id: _id, sessionID: _session, messageID: _message, ...rest } = part;
  return rest;
}
