/** Edits of a shell text. The walk collects them and applies them at the end. */

import type { Word } from 'unbash';
import type { Value } from './scope.ts';
import type { WordSpot } from './visitor.ts';

export interface Edit {
  readonly pos: number;
  readonly end: number;
  readonly by: string;
}

export function edited(source: string, edits: readonly Edit[]): string {
  let [out, at] = ['', 0];
  for (const edit of edits.toSorted((a, b) => a.pos - b.pos)) {
    if (edit.pos < at) continue;
    out += source.slice(at, edit.pos) + edit.by;
    at = edit.end;
  }
  return out + source.slice(at);
}

/** A word with its position. Without a list of edits it cannot be replaced. */
export function spotOf(
  { text, pos, end }: Word,
  value: Value | undefined,
  edits: Edit[] | undefined,
): WordSpot {
  if (edits === undefined) return { text, value };
  const replace = (by: string) => void edits.push({ pos, end, by: quotePath(by, text) });
  const prepend = (head: string) => void edits.push({ pos: pos + 1, end: pos + 1, by: head });
  const isQuoted = text.startsWith('"') && text.endsWith('"');
  return { text, value, replace, ...(isQuoted && { prepend }) };
}

/** Quotes a text so that a POSIX shell reads it as one word. */
export const quote = (text: string): string =>
  /^[\w%+,./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** The same for a path. If the replaced word is a pattern, its wildcards stay unquoted. */
export function quotePath(by: string, written: string): string {
  const wild = /^[\w./-]*[*?[][\w./*?[\]-]*$/.test(written) ? /[^/]*[*?[].*$/s.exec(by)?.[0] : undefined;
  return wild === undefined ? quote(by) : `${quote(by.slice(0, by.length - wild.length))}${wild}`;
}
