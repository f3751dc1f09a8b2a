/**
 * Converts a template to a script for a POSIX shell. Values are never part of the script text. Each becomes a variable
 * that is set from a positional parameter and quoted for its position. A value is refused where this is not safely
 * possible.
 */

import { readPosition, type QuoteState } from './position.ts';
import type { Word } from './words.ts';

export interface Script {
  readonly text: string;
  readonly parameters: readonly string[];
  /** Values for file descriptors 3, 4, … */
  readonly inputs: readonly unknown[];
}

export function writeScript(parts: readonly string[], values: readonly (readonly Word[])[]): Script {
  const position = readPosition();
  const names: string[] = [];
  const parameters: string[] = [];
  const inputs: unknown[] = [];
  const nameFor = (value: string): string => {
    const chunks = chunked(value).map((chunk) => `\${${parameters.push(chunk)}}`);
    return `\${__v${names.push(chunks.join(''))}}`;
  };
  let text = '';
  let unread = 0; // a token may span several parts, so they are read together
  const place = (piece: Piece) => {
    if (piece.kind === 'raw') return void (text += piece.text);
    position.read(text.slice(unread));
    if (piece.kind === 'input') text = redirected(text, inputs.push(piece.source));
    else text = placed(text, piece.texts, position.now(), nameFor);
    unread = text.length;
  };
  parts.forEach((part, index) => {
    text += part;
    pieces(values[index] ?? []).forEach(place);
  });
  const fill = names.map((from, index) => `__v${index + 1}=${from}`).join(' ');
  return { text: fill === '' ? text : `${fill}; set --; ${text}`, parameters, inputs };
}

type Piece = Exclude<Word, { kind: 'text' }> | { readonly kind: 'texts'; readonly texts: readonly string[] };

/** Adjacent texts are in the same quotes, if any. */
function pieces(words: readonly Word[]): Piece[] {
  const found: Piece[] = [];
  for (const word of words) {
    const last = found.at(-1);
    if (word.kind !== 'text') found.push(word);
    else if (last?.kind === 'texts') found[found.length - 1] = { ...last, texts: [...last.texts, word.text] };
    else found.push({ kind: 'texts', texts: [word.text] });
  }
  return found;
}

function placed(
  before: string,
  texts: readonly string[],
  where: QuoteState,
  nameFor: (value: string) => string,
): string {
  const open = where.endsInDollar ? `${before.slice(0, -1)}\\$` : before; // the dollar sign must not start the name of our variable
  const names = () => texts.map(nameFor);
  switch (where.kind) {
    case 'plain':
      return (
        open +
        names()
          .map((name) => `"${name}"`)
          .join(' ')
      );
    case 'double':
      return open + names().join(' ');
    case 'single':
      return `${before}'"${names().join(' ')}"'`;
    case 'ansi':
      return `${before}'"${names().join(' ')}"$'`;
    case 'comment':
      return before;
    case 'arithmetic':
      if (texts.every((text) => /^-?\d{1,18}$/.test(text))) return before + texts.join(' ');
      throw new TypeError(`${JSON.stringify(texts.join(' '))} is inside $((…)), which accepts only integers`);
    case 'unsure':
      throw new TypeError(`a value is not allowed ${where.why}: assign it to a variable of the script first`);
  }
}

function redirected(text: string, count: number): string {
  if (!/(?:^|[^<&])<\s*$/.test(text))
    throw new TypeError('a stream, blob, response or bytes are only allowed after "<"');
  if (count > 7) throw new TypeError('at most 7 streams may be read by one command');
  return `${text.trimEnd()}&${count + 2}`;
}

/** One program argument may have 128 KiB on Linux, but a value may be longer. */
const LONGEST = 30_000;

function chunked(value: string): string[] {
  const chunks: string[] = [];
  let at = 0;
  do {
    let end = Math.min(value.length, at + LONGEST);
    if (end < value.length && /[\ud800-\udbff]/.test(value[end - 1]!)) end--;
    chunks.push(value.slice(at, end));
    at = end;
  } while (at < value.length);
  return chunks;
}
