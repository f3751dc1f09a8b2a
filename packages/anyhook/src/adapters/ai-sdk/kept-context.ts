/**
 * Keeps texts for the model from tool hooks. The AI SDK has no field for them beside a tool's result, so they are stored by
 * call id, and `hookMiddleware` inserts them after that result in each request.
 */

import type { Fields } from '../../events/effects.ts';
import { isFields } from '../../events/fields.ts';
import type { Outcome } from '../../events/outcome.ts';
import type { Hooks } from '../../library/hooks.ts';

const KEPT = 1000;
/** Keyed by the hooks object that both sides share, and released with it. */
const books = new WeakMap<object, Map<string, string[]>>();

const bookOf = (hooks: Pick<Hooks, 'fire'>): Map<string, string[]> => {
  const book = books.get(hooks) ?? new Map<string, string[]>();
  books.set(hooks, book);
  return book;
};

export function keepContext(hooks: Pick<Hooks, 'fire'>, call: string, { forModel }: Outcome): void {
  if (forModel.length === 0) return;
  const book = bookOf(hooks);
  const earlier = book.get(call) ?? [];
  book.delete(call); // moves the entry to the end
  book.set(call, [...earlier, ...forModel]);
  for (const oldest of book.keys()) {
    if (book.size <= KEPT) break;
    book.delete(oldest);
  }
}

/** Inserts the stored texts after each result. Returns the same messages if there are none. */
export function withKeptContext(hooks: Pick<Hooks, 'fire'>, messages: readonly Fields[]): readonly Fields[] {
  const book = books.get(hooks);
  if (book === undefined || book.size === 0) return messages;
  return messages.flatMap((message) => {
    const texts = callsIn(message).flatMap((call) => book.get(call) ?? []);
    return texts.length === 0 ? [message] : [message, hidden(texts)];
  });
}

const callsIn = ({ role, content }: Fields): string[] =>
  role === 'tool' && Array.isArray(content)
    ? content.flatMap((part: unknown) =>
        isFields(part) && part['type'] === 'tool-result' ? [String(part['toolCallId'])] : [],
      )
    : [];

const hidden = (texts: readonly string[]): Fields => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text: `<context>\n${text}\n</context>` })),
});
