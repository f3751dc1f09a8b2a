/** Converts a prompt of the AI SDK for hooks, and back. */

import { type Fields } from '../../events/effects.ts';
import { isFields } from '../../events/fields.ts';

export interface Prompt {
  /** The system messages at its beginning. */
  readonly system: readonly Fields[];
  readonly rest: readonly Fields[];
}

export function split(prompt: readonly object[]): Prompt {
  const messages = prompt as readonly Fields[];
  const first = messages.findIndex(({ role }) => role !== 'system');
  const at = first === -1 ? messages.length : first;
  return { system: messages.slice(0, at), rest: messages.slice(at) };
}

/** One message per part. Provider options of a part (such as caching) stay at their position. */
export const systemFrom = (parts: readonly unknown[], had: readonly Fields[]): Fields[] =>
  parts
    .filter((part) => typeof part === 'string')
    .map((content, index) => ({ ...had[index], role: 'system', content }));

const TOKEN = 'anyhook:file:';

/** Files appear by type and name: hooks cannot read their bytes, and a `URL` cannot be cloned. */
export function withoutFiles(messages: readonly Fields[]): {
  readonly shown: readonly Fields[];
  readonly back: (messages: readonly Fields[]) => Fields[];
} {
  const files: unknown[] = [];
  const shown = messages.map((message) =>
    inParts(message, (part) => ({ ...part, data: `${TOKEN}${files.push(part['data']) - 1}` })),
  );
  const bytesOf = ({ data }: Fields): unknown =>
    typeof data === 'string' && data.startsWith(TOKEN) ? files[Number(data.slice(TOKEN.length))] : data;
  return {
    shown,
    back: (left) => left.map((message) => inParts(message, (part) => ({ ...part, data: bytesOf(part) }))),
  };
}

function inParts(message: Fields, change: (file: Fields) => Fields): Fields {
  const { content } = message;
  if (!Array.isArray(content) || !content.some(isFile)) return message;
  return { ...message, content: content.map((part: unknown) => (isFile(part) ? change(part) : part)) };
}
const isFile = (part: unknown): part is Fields => isFields(part) && part['type'] === 'file';

const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool']);

/**
 * Converts messages from hooks for the AI SDK: text becomes parts, and unknown roles (`custom`) become the user's. Invalid
 * messages are omitted, because restoring them could undo a redaction.
 */
export const soundMessages = (left: readonly unknown[]): { messages: Fields[]; dropped: number } => {
  const messages = left.flatMap((message) => {
    if (!isFields(message)) return [];
    const { role, content } = message;
    if (role === 'system') return typeof content === 'string' ? [message] : [];
    if (typeof content !== 'string' && !Array.isArray(content)) return [];
    const parts: unknown = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return ROLES.has(role) ? [{ ...message, content: parts }] : [{ role: 'user', content: parts }];
  });
  return { messages, dropped: left.length - messages.length };
};
