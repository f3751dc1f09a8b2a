/** One provider's API: how it asks, and the format of its answers. */

import { randomBytes } from 'node:crypto';
import type { Fields } from '../../events/effects.ts';
import type { ModelRequest } from './client-request.ts';
import type { AnswerTurn, ErrorTurn } from './turn.ts';

export interface Protocol {
  readonly asked: (body: Fields) => ModelRequest;
  readonly whole: (turn: AnswerTurn, model: string) => Fields;
  /** The same as server-sent events, one string each. */
  readonly events: (turn: AnswerTurn, model: string) => readonly string[];
  readonly error: (turn: ErrorTurn) => Fields;
}

/** The usage that an answer states. `input` includes the cached tokens. */
export const usageOf = ({ usage: { input, cached = 0, output } = { input: 10, output: 5 } }: AnswerTurn) => ({
  input,
  cached,
  output,
});

export const newId = (prefix: string): string => prefix + randomBytes(9).toString('hex');

/** Splits the text into pieces of `size` characters. Default: one piece. */
export function inPieces(text: string, size = text.length): readonly string[] {
  const letters = [...text];
  const pieces: string[] = [];
  for (let from = 0; from < letters.length; from += Math.max(1, size))
    pieces.push(letters.slice(from, from + Math.max(1, size)).join(''));
  return pieces.length === 0 ? [''] : pieces;
}

export const sseEvent = (type: string, data: Fields): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
