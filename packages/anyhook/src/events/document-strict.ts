/**
 * Parses the output of a hook as JSON. The whole output must be one document, because echoed text must never
 * become consent.
 */

import { ParseError, parseJson, withoutBom } from './document-parse.ts';
import type { Fields } from './effects.ts';

export type StrictRead =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: string };

export function readStrictJson(text: string): StrictRead {
  try {
    const { value, duplicates } = parseJson(withoutBom(text));
    return duplicates[0] === undefined ? { ok: true, value } : refused(duplicates[0]);
  } catch (fault) {
    if (fault instanceof ParseError) return refused(fault);
    throw fault;
  }
}

/** Parses a model's answer, which often has a code fence around the whole JSON. */
export const readFencedJson = (text: string): StrictRead =>
  readStrictJson(/^\s*```(?:json)?\r?\n(.*)\r?\n```\s*$/s.exec(text)?.[1] ?? text);

/** Returns true if the text starts like JSON, so that it is never treated as plain text. */
export const looksLikeJson = (text: string): boolean => /^\s*[[{]/.test(withoutBom(text));

const refused = ({ code, message, at }: ParseError): StrictRead => ({
  ok: false,
  why: `${code === 'partial' ? 'partial JSON: ' : ''}${message} (line ${at.line}, column ${at.column})`,
});

/** Returns the object at the start of a text and the rest, if nothing follows the object on its line. */
export function readFirstDocument(
  text: string,
): { readonly value: Fields; readonly rest: string } | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const { value, end, duplicates } = parseJson(text, { prefix: true });
    const rest = text.slice(end);
    const isWhole = duplicates.length === 0 && /^[ \t\r]*(?:\n|$)/.test(rest);
    return isWhole ? { value: value as Fields, rest } : undefined; // starts with a brace
  } catch (fault) {
    if (fault instanceof ParseError) return undefined;
    throw fault;
  }
}
