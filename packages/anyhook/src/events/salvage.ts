/**
 * Answers among other text. Anybody's text can hold one, also that of the model which is being judged: what is found here
 * may make things stricter, never looser, and what cannot be made out is a doubt, never "nothing there".
 */
import type { Fields } from './effects.ts';
import { ParseError, parseJson } from './document-parse.ts';
import { isFields } from './fields.ts';
import { nearest } from './problems.ts';

export interface SalvagedAnswers {
  /** In order, the objects with one of the keys that stand on lines of their own. */
  readonly answers: readonly Fields[];
  /** A line that wants to be an answer and cannot be read, or more text than can be looked at. */
  readonly torn?: string;
  /** Something in the middle of a line looks like an answer. */
  readonly doubt?: string;
}

/**
 * How much may be read in search of objects, by the length of the text: objects over several lines are read again for each
 * level inside of them, and no more often than this. Beyond it nobody knows what is there. So the work is linear.
 */
export const mostBytes = (length: number): number => 64 * 1024 + 10 * length;
/** What a try costs that fails at once. */
const TRY_BYTES = 64;

/** The words by which answers of a dialect are known. */
export interface AnswerWords {
  /** Those of which one makes an object on lines of its own an answer. */
  readonly keys: readonly string[];
  /** Those that make one of it anywhere else, where the others stand in all kinds of logs; otherwise all of them. */
  readonly deciding?: readonly string[];
  /** Output that begins with a brace and is not JSON is text, unless something in it looks like an answer. */
  readonly braceIsText?: true;
}

export function salvage(
  text: string,
  { keys, deciding = keys }: AnswerWords,
  /** Called with the number of bytes that were read, for tests. */
  onRead: (bytes: number) => void = () => {},
): SalvagedAnswers {
  const [named, decides] = [keyPattern(keys), keyPattern(deciding)];
  if (!named.test(text) && !text.includes('\\u')) return { answers: [] };
  const most = mostBytes(text.length);
  const answers: Fields[] = [];
  let [torn, doubt]: [string?, string?] = [];
  let [outside, spent] = ['', 0];
  /** Up to here the text stands inside of sound objects. */
  let [inside, next] = [0, 0];
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', next)) {
    const { object, end } = objectAt(text, at);
    spent += Math.max(TRY_BYTES, end - at);
    onRead(Math.max(TRY_BYTES, end - at));
    if (spent > most) {
      torn ??= 'there are more braces than can be looked at, and an answer may stand among them';
      break;
    }
    next = at + 1;
    if (object === undefined) {
      if (torn === undefined && beginsLine(text, at)) {
        const piece = text.slice(at, lineEnd(text, end));
        spent += piece.length;
        onRead(piece.length);
        if (named.test(piece)) torn = 'what looks like an answer is torn, or no JSON';
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
    // What is printed around an answer must not swallow it: lines inside of an object are looked at too.
    if (!text.slice(at, end).includes('\n')) next = end;
  }
  if (decides.test(outside + text.slice(inside))) doubt = IN_A_LINE;
  return { answers, ...(torn !== undefined && { torn }), ...(doubt !== undefined && { doubt }) };
}
const IN_A_LINE = 'what looks like an answer stands in the middle of other text';

/**
 * One of the words as a key, in the ways in which people and programs miss JSON: another language's quotes or a text
 * processor's, none in braces, a JSON text inside of another, a capital.
 */
const keyPattern = (words: readonly string[]): RegExp =>
  new RegExp(`(?:[${QUOTES}]|\\{(?:[^{}]*[,\\s])?)(?:${words.join('|')})\\\\*[${QUOTES}]?\\s*:`, 'i');
const QUOTES = '"\'`\u201c\u201d\u2018\u2019';

/**
 * Why an object that is the whole of an output cannot be taken for an answer: a word of one stands in it where none is
 * read, further down or in other letters. What stands in its texts is data.
 */
export function strayWord(object: Fields, { keys, deciding = keys }: AnswerWords): string | undefined {
  const stray = Object.keys(object).find((key) => !keys.includes(key) && isWord(key, deciding));
  if (stray !== undefined) return `"${stray}" is spelt otherwise`;
  const { hookSpecificOutput: inner } = object;
  const slip = slipIn(object, deciding) ?? (isFields(inner) ? slipIn(inner, INNER) : undefined);
  if (slip !== undefined) return slip;
  return !keys.some((key) => Object.hasOwn(object, key)) && speaksOf(object, deciding)
    ? 'what looks like an answer stands inside of something else'
    : undefined;
}
function speaksOf(value: unknown, words: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, one]) => (!Array.isArray(value) && isWord(key, words)) || speaksOf(one, words),
  );
}
/** A slip of the pen in a key, before a word that holds back: what was meant as a refusal would be none. */
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

/** The object that begins here, and its end; without an object, how far it was looked for. */
function objectAt(text: string, at: number): { readonly object?: Fields; readonly end: number } {
  try {
    const { value, end, duplicates } = parseJson(text.slice(at), { prefix: true });
    return duplicates.length > 0 ? { end: at + end } : { object: value as Fields, end: at + end }; // it began with a brace
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
