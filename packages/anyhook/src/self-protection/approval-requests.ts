/** Calls that talk to the page on which the user answers questions. Commands on `anyhook approvals` are in `anyhook-commands.ts`. */

import type { Fields } from '../events/effects.ts';

/** Tools that only write text: naming the address there sends nothing. */
const WRITES_TEXT: ReadonlySet<string> = new Set([
  'write',
  'edit',
  'multi-edit',
  'read',
  'grep',
  'glob',
  'todo',
]);
const ROUTE = /api(?:\/|%2f|\\\/)+(?:answer|%61nswer)\b/i;
const TOKEN = /x-anyhook-token/i;

/** The route of an answer, or the header with its token, in a command, an address or code. */
export function answersQuestions(tool: string, input: Fields): boolean {
  if (WRITES_TEXT.has(tool)) return false;
  const texts = wordsIn(input, new Set());
  return texts.some((text) => ROUTE.test(text))
    ? texts.some((text) => HERE.test(text))
    : texts.some((text) => TOKEN.test(text));
}
const HERE = /anyhook|127\.|localhost|::1|0x7f|2130706433|0\.0\.0\.0/i;

/** All strings and keys of the input, which may have cycles. */
function wordsIn(value: unknown, seen: Set<object>): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  return Object.entries(value).flatMap(([key, part]) => [key, ...wordsIn(part, seen)]);
}
