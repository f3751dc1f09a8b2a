/**
 * Finds answers inside of other text. Any text can contain one, even that of the model being judged. So an
 * answer found here may make the outcome stricter but never looser, and unreadable parts count as a doubt.
 */

import { ParseError, parseJson } from './document-parse.ts';
import type { Fields } from './effects.ts';
import { isFields } from './fields.ts';
import { nearest } from './problems.ts';

export interface SalvagedAnswers {
  /** Objects with one of the keys on lines of their own, in order. */
  readonly answers: readonly Fields[];
  /** Set if a line looks like an answer but cannot be parsed, or if there is too much text to search. */
  readonly torn?: string;
  /** Set if something in the middle of a line looks like an answer. */
  readonly doubt?: string;
}

/**
 * Limits the work to linear time. An object over several lines is parsed again for each level inside of it,
 * up to this number of bytes. The rest is not searched.
 */
export const mostBytes = (length: number): number => 64 * 1024 + 10 * length;
/** Cost of an attempt that fails immediately. */
const TRY_BYTES = 64;

/** The keys that identify answers of a dialect. */
export interface AnswerWords {
  /** Any of these makes an object on lines of its own an answer. */
  readonly keys: readonly string[];
  /**
   * Keys that identify an answer anywhere else, because the others occur in all kinds of logs. Default: all
   * keys.
   */
  readonly deciding?: readonly string[];
  /** Output that starts with a brace and is not JSON is text, unless something in it looks like an answer. */
  readonly braceIsText?: true;
}

export function salvage(
  text: string,
  { keys, deciding = keys }: AnswerWords,
  /** Called with the number of bytes read, for tests. */
  onRead: (bytes: number) => void = () => {},
): SalvagedAnswers {
  const [named, decides] = [keyPattern(keys), keyPattern(deciding)];
  if (!named.test(text) && !text.includes('\\u')) return { answers: [] };
  const most = mostBytes(text.length);
  const answers: Fields[] = [];
  let [torn, doubt]: [string?, string?] = [];
  let [outside, spent] = ['', 0];
  /** The text up to here is inside of parsed objects. */
  let [inside, next] = [0, 0];
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', next)) {
    const { object, end } = objectAt(text, at);
    spent += Math.max(TRY_BYTES, end - at);
    onRead(Math.max(TRY_BYTES, end - at));
    if (spent > most) {
      torn ??= 'there are too many braces to search, and one of them may start an answer';
      break;
    }
    next = at + 1;
    if (object === undefined) {
      if (torn === undefined && beginsLine(text, at)) {
        const piece = text.slice(at, lineEnd(text, end));
        spent += piece.length;
        onRead(piece.length);
        if (named.test(piece)) torn = 'text that looks like an answer is incomplete or not valid JSON';
      }
      continue;
    }
    const isAnswer = keys.some((key) => Object.hasOwn(object, key));
    if (isAnswer && beginsLine(text, at) && endsLine(text, end)) answers.push(object);
    else if (at >= inside && speaksOf(object, deciding)) doubt = IN_A_LINE;
    if (at >= inside) {
      outside += text.slice(inside, at);
      inside = end;
    }
    // Lines inside of an object are searched too, so that text around an answer cannot hide it.
    if (!text.slice(at, end).includes('\n')) next = end;
  }
  if (decides.test(outside + text.slice(inside))) doubt = IN_A_LINE;
  return { answers, ...(torn !== undefined && { torn }), ...(doubt !== undefined && { doubt }) };
}
const IN_A_LINE = 'text that looks like an answer is in the middle of other text';

/**
 * Matches one of the words as a key in common approximations of JSON: other quotes, no quotes, escaped JSON
 * in a string, other case.
 */
const keyPattern = (words: readonly string[]): RegExp =>
  new RegExp(`(?:[${QUOTES}]|\\{(?:[^{}]*[,\\s])?)(?:${words.join('|')})\\\\*[${QUOTES}]?\\s*:`, 'i');
const QUOTES = '"\'`\u201c\u201d\u2018\u2019';

/**
 * Returns why an object cannot be accepted as an answer although it is the whole output: an answer's key
 * occurs at the wrong level or with other letters. Strings inside of it are data and are not searched.
 */
export function strayWord(object: Fields, { keys, deciding = keys }: AnswerWords): string | undefined {
  const stray = Object.keys(object).find((key) => !keys.includes(key) && isWord(key, deciding));
  if (stray !== undefined) return `the key "${stray}" is misspelt`;
  const { hookSpecificOutput: inner } = object;
  const slip = slipIn(object, deciding) ?? (isFields(inner) ? slipIn(inner, INNER) : undefined);
  if (slip !== undefined) return slip;
  return !keys.some((key) => Object.hasOwn(object, key)) && speaksOf(object, deciding)
    ? 'text that looks like an answer is nested inside of other data'
    : undefined;
}
function speaksOf(value: unknown, words: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, one]) => (!Array.isArray(value) && isWord(key, words)) || speaksOf(one, words),
  );
}
/** Finds a misspelt key with a refusing value. Otherwise a refusal with a typo would be ignored. */
function slipIn(object: Fields, words: readonly string[]): string | undefined {
  for (const [key, value] of Object.entries(object)) {
    if (typeof value !== 'string' || !HOLDS_BACK.test(value) || words.includes(key) || /reason$/i.test(key))
      continue;
    const meant = nearest(key.replaceAll(/[^a-z]/gi, ''), words);
    if (meant !== undefined) return `unknown key "${key}". Did you mean "${meant}"?`;
  }
  return undefined;
}
const HOLDS_BACK = /^\s*(?:deny|denied|block|blocked|ask|reject|refuse)\s*$/i;
const INNER = ['decision', 'permissionDecision'];

const isWord = (key: string, words: readonly string[]): boolean =>
  words.some((word) => word.toLowerCase() === key.toLowerCase());

/** Returns the object that starts here and its end. Without an object, returns how far the text was read. */
function objectAt(text: string, at: number): { readonly object?: Fields; readonly end: number } {
  try {
    const { value, end, duplicates } = parseJson(text.slice(at), { prefix: true });
    return duplicates.length > 0 ? { end: at + end } : { object: value as Fields, end: at + end }; // starts with a brace
  } catch (fault) {
    if (fault instanceof ParseError) return { end: at + fault.reached };
    throw fault;
  }
}

const BLANKS: ReadonlySet<string> = new Set([' ', '\t', '\r']);
function beginsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (BLANKS.has(text[before]!)) before--;
  return before < 0 || text[before] === '\n';
}
function endsLine(text: string, end: number): boolean {
  let behind = end;
  while (BLANKS.has(text[behind]!)) behind++;
  return behind >= text.length || text[behind] === '\n';
}
function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}
