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
  const text = JSON.stringify(input);
  return ROUTE.test(text)
    ? /anyhook|127\.|localhost|::1|0x7f|2130706433|0\.0\.0\.0/i.test(text)
    : TOKEN.test(text);
}
