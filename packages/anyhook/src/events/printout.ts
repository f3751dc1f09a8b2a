/** What a hook printed, taken apart once for every dialect: what is certain, and what a reader cannot be sure of. */
import { type Effect, type Fields, tightens } from './effects.ts';
import type { BrokenReply, ExitReply, Notes } from './exchange.ts';
import type { Answer } from './outcome.ts';
import { readStrictJson } from './document-strict.ts';
import { withoutBom } from './document-parse.ts';
import { type AnswerWords, salvage, strayWord } from './salvage.ts';

export type Printout =
  | { readonly kind: 'nothing' }
  /** The whole of it is one object. */
  | { readonly kind: 'document'; readonly value: Fields }
  /** Text in which nothing looks like an answer. */
  | { readonly kind: 'text'; readonly text: string }
  /** Text in which something does. */
  | MixedOutput
  /** It was cut, is no text, or wanted to be an answer and is none. */
  | Unsure;

export interface MixedOutput {
  readonly kind: 'mixed';
  readonly text: string;
  /** Those that stand on lines of their own: they may tighten, never loosen. */
  readonly answers: readonly Fields[];
  readonly doubt?: string;
}
export interface Unsure {
  readonly kind: 'unsure';
  readonly why: string;
  /** As with `mixed`. */
  readonly answers: readonly Fields[];
}

/** What is known of a stream beside its text. */
export interface StreamMarks {
  /** So many bytes are missing. */
  readonly cut?: number | undefined;
  /** Bytes that were no UTF-8 were replaced. */
  readonly replaced?: true | undefined;
}
export const marksOf = (notes: Notes | undefined, stream: 'stdout' | 'stderr' = 'stdout'): StreamMarks => ({
  cut: notes?.truncated?.[stream],
  replaced: notes?.replaced,
});

export function readPrintout(
  printed: string,
  words: AnswerWords,
  { cut, replaced }: StreamMarks = {},
): Printout {
  const unsure = (why: string, text = printed): Unsure => ({
    kind: 'unsure',
    why,
    answers: salvage(text, words).answers,
  });
  if (cut !== undefined && cut > 0)
    return unsure('the output was cut at its limit, and what is missing may be the answer');
  const text = withoutBom(printed).trim();
  if (text === '') return { kind: 'nothing' };
  if (text.includes('\0')) {
    // In UTF-16 a NUL stands beside every letter; elsewhere it stands between two texts.
    const why = 'the output holds NUL bytes: print UTF-8';
    const joined = unsure(why, text.replaceAll(/^\uFFFD+|\0/g, ''));
    return joined.answers.length > 0 ? joined : unsure(why, text.replaceAll('\0', '\n'));
  }
  if (replaced === true && text.includes('\uFFFD')) return unsure('the output is no UTF-8');
  const plain = text.replaceAll(COLOURS, '').trim();
  if (plain !== text && plain.startsWith('{')) return unsure('the answer is coloured: print it plain', plain);
  if (!text.startsWith('{')) return amongText(text, plain, words);
  const document = readStrictJson(printed);
  if (!document.ok) {
    const among = words.braceIsText === true ? amongText(text, plain, words) : undefined;
    // Marked, because it may have been meant as an answer.
    return among?.kind === 'text'
      ? { kind: 'mixed', text, answers: [], doubt: `begins with a brace and is not JSON: ${document.why}` }
      : unsure(document.why);
  }
  const value = document.value as Fields; // it began with a brace
  const stray = strayWord(value, words);
  return stray === undefined ? { kind: 'document', value } : unsure(stray);
}

/** What a terminal would take for colours and movements. */
// oxlint-disable-next-line no-control-regex -- that is what they begin with
const COLOURS = /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]/g;

function amongText(text: string, plain: string, words: AnswerWords): Printout {
  const { answers, torn, doubt } = salvage(plain, words);
  if (torn !== undefined) return { kind: 'unsure', why: torn, answers };
  if (answers.length === 0 && doubt === undefined) return { kind: 'text', text };
  return { kind: 'mixed', text, answers, ...(doubt !== undefined && { doubt }) };
}

/** What a dialect makes of what was printed: of an object, of mere text, and of text in which something looks like an answer. */
export interface PrintoutReader {
  readonly object: (value: Fields) => Answer;
  /** An object in damaged output, of which only a refusal counts; as `object` unless the dialect is stricter about its form. */
  readonly salvaged?: (value: Fields) => Answer;
  readonly text: (text: string) => Answer;
  /** `strict`: what its answers say that makes things stricter. */
  readonly mixed: (output: MixedOutput, strict: readonly Effect[]) => Answer;
}

export function readPrinted(
  printout: Printout,
  { object, salvaged = object, text, mixed }: PrintoutReader,
): Answer {
  const strictIn = (answers: readonly Fields[]): Effect[] =>
    answers.flatMap((answer) => salvaged(answer).effects.filter(tightens));
  switch (printout.kind) {
    case 'nothing':
      return { effects: [] };
    case 'document':
      return object(printout.value);
    case 'text':
      return text(printout.text);
    case 'mixed':
      return mixed(printout, strictIn(printout.answers));
    case 'unsure':
      return unreadable(printout.why, strictIn(printout.answers));
  }
}

/** What a hook had printed before it broke can refuse, and do nothing else. `read`: as if it had ended in order. */
export function readBroken(
  { why, stdout = '', stderr = '', notes }: BrokenReply,
  read: (reply: ExitReply) => Answer,
): Answer {
  const ended: ExitReply = { kind: 'exited', code: 0, stdout, stderr, ...(notes && { notes }) };
  return { effects: stdout === '' ? [] : read(ended).effects.filter(tightens), failed: why };
}

/** A refusal by how it ended, and what was printed beside it that holds back in another way: neither undoes the other. */
export const refusedBoth = (ended: readonly Effect[], printed: readonly Effect[]): readonly Effect[] => [
  ...ended,
  ...printed.filter((one) => tightens(one) && !ended.some(({ kind }) => kind === one.kind)),
];

/** Adds the runner's notes to those of the reader. */
export const withNotes = (answer: Answer, notes: Notes | undefined): Answer =>
  notes === undefined ? answer : { ...answer, notes: { ...notes, ...answer.notes } };

/** An answer that makes no sense, with what counts of it all the same. */
export const unreadable = (detail: string, effects: readonly Effect[] = []): Answer => ({
  effects,
  failed: { kind: 'unreadable', detail },
});
