/** What a hook printed, as JSON: the whole of it is one document, or it is none. Echoed text must never become consent. */
import type { Fields } from './effects.ts';
import { ParseError, parseJson, withoutBom } from './document-parse.ts';

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

/** The same of a model's answer: models like to put a fence around their JSON, all of it. */
export const readFencedJson = (text: string): StrictRead =>
  readStrictJson(/^\s*```(?:json)?\r?\n(.*)\r?\n```\s*$/s.exec(text)?.[1] ?? text);

/** It wants to be read as JSON, so it is never mere text. */
export const looksLikeJson = (text: string): boolean => /^\s*[[{]/.test(withoutBom(text));

const refused = ({ code, message, at }: ParseError): StrictRead => ({
  ok: false,
  why: `${code === 'partial' ? 'partial JSON: ' : ''}${message} (line ${at.line}, column ${at.column})`,
});

/** The object that a text begins with, if its line ends with it, and what follows. */
export function readFirstDocument(
  text: string,
): { readonly value: Fields; readonly rest: string } | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const { value, end, duplicates } = parseJson(text, { prefix: true });
    const rest = text.slice(end);
    const isWhole = duplicates.length === 0 && /^[ \t\r]*(?:\n|$)/.test(rest);
    return isWhole ? { value: value as Fields, rest } : undefined; // it began with a brace
  } catch (fault) {
    if (fault instanceof ParseError) return undefined;
    throw fault;
  }
}
