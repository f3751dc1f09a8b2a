/** What a hook printed, as JSON: the whole of it is one document, or it is none. Echoed text must never become consent. */
import { Fault, parseJson, withoutBom } from './document-parse.ts';

export type StrictRead =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: string };

export function readStrictJson(text: string): StrictRead {
  try {
    const { value, duplicates } = parseJson(withoutBom(text));
    return duplicates[0] === undefined ? { ok: true, value } : refused(duplicates[0]);
  } catch (fault) {
    if (fault instanceof Fault) return refused(fault);
    throw fault;
  }
}

/** It wants to be read as JSON, so it is never mere text. */
export const looksLikeJson = (text: string): boolean => /^\s*[[{]/.test(withoutBom(text));

const refused = ({ code, message, at }: Fault): StrictRead => ({
  ok: false,
  why: `${code === 'partial' ? 'partial JSON: ' : ''}${message} (line ${at.line}, column ${at.column})`,
});

export interface Salvaged {
  /** In order, the objects that stand on lines of their own. */
  readonly objects: readonly Readonly<Record<string, unknown>>[];
  /** Text that begins like an object and cannot be read as one. */
  readonly torn: readonly string[];
}

/** Each try can cost a pass over the text; nobody prints so many on purpose. */
const MOST_TRIES = 1000;

/**
 * JSON objects among other text. Anybody's text can hold one: what is found here may make things stricter, never
 * looser.
 */
export function salvage(text: string): Salvaged {
  const objects: Readonly<Record<string, unknown>>[] = [];
  const torn: string[] = [];
  const starts = /^[ \t]*\{/gm;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const start = starts.exec(text);
    if (start === null) break;
    const rest = text.slice(start.index);
    const read = objectAt(rest);
    if (read === undefined) torn.push(rest.slice(0, /[\r\n]|$/.exec(rest)!.index));
    else {
      objects.push(read.object);
      starts.lastIndex = start.index + read.end;
    }
  }
  return { objects, torn };
}

/** The object that begins here, if it is sound and the line ends with it. */
function objectAt(
  text: string,
): { readonly object: Readonly<Record<string, unknown>>; readonly end: number } | undefined {
  try {
    const { value, end, duplicates } = parseJson(text, { prefix: true });
    const alone = /^[ \t]*(?:[\r\n]|$)/.test(text.slice(end));
    if (!alone || duplicates.length > 0) return undefined;
    return { object: value as Readonly<Record<string, unknown>>, end }; // it began with a brace
  } catch (fault) {
    if (fault instanceof Fault) return undefined;
    throw fault;
  }
}
