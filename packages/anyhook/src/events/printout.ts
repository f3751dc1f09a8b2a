/** Classifies the output of a hook for all dialects: an answer, plain text, or something in between. */

import { withoutBom } from './document-parse.ts';
import { readStrictJson } from './document-strict.ts';
import { type Effect, type Fields, tightens } from './effects.ts';
import type { BrokenReply, ExitReply, Notes } from './exchange.ts';
import type { Answer } from './outcome.ts';
import { type AnswerWords, salvage, strayWord } from './salvage.ts';

export type Printout =
  | { readonly kind: 'nothing' }
  /** The whole output is one object. */
  | { readonly kind: 'document'; readonly value: Fields }
  /** Text without anything that looks like an answer. */
  | { readonly kind: 'text'; readonly text: string }
  /** Text with something that looks like an answer. */
  | MixedOutput
  /** Truncated output, binary output, or an answer that cannot be parsed. */
  | Unsure;

export interface MixedOutput {
  readonly kind: 'mixed';
  readonly text: string;
  /** Answers on lines of their own. They may make the outcome stricter, never looser. */
  readonly answers: readonly Fields[];
  readonly doubt?: string;
}
export interface Unsure {
  readonly kind: 'unsure';
  readonly why: string;
  /** As in `mixed`. */
  readonly answers: readonly Fields[];
}

/** Facts about a stream besides its text. */
export interface StreamMarks {
  /** Number of missing bytes. */
  readonly cut?: number | undefined;
  /** Invalid UTF-8 bytes were replaced. */
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
    return unsure('the output was cut at its limit, and the missing part may contain the answer');
  const text = withoutBom(printed).trim();
  if (text === '') return { kind: 'nothing' };
  if (text.includes('\0')) {
    // In UTF-16 every ASCII letter has a NUL byte. Otherwise NUL separates two texts.
    const why = 'the output contains NUL bytes: print UTF-8';
    const joined = unsure(why, text.replaceAll(/^\uFFFD+|\0/g, ''));
    return joined.answers.length > 0 ? joined : unsure(why, text.replaceAll('\0', '\n'));
  }
  if (replaced === true && text.includes('\uFFFD')) return unsure('the output is not valid UTF-8');
  const plain = text.replaceAll(COLOURS, '').trim();
  if (plain !== text && plain.startsWith('{'))
    return unsure('the answer contains colour codes: print it without colours', plain);
  if (!text.startsWith('{')) return amongText(text, plain, words);
  const document = readStrictJson(printed);
  if (!document.ok) {
    const among = words.braceIsText === true ? amongText(text, plain, words) : undefined;
    // Reported as a doubt, because it may have been meant as an answer.
    return among?.kind === 'text'
      ? { kind: 'mixed', text, answers: [], doubt: `begins with a brace and is not JSON: ${document.why}` }
      : unsure(document.why);
  }
  const value = document.value as Fields; // starts with a brace
  const stray = strayWord(value, words);
  return stray === undefined ? { kind: 'document', value } : unsure(stray);
}

/** Terminal escape sequences for colours and cursor movement. */
// oxlint-disable-next-line no-control-regex -- that is what they begin with
const COLOURS = /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]/g;

function amongText(text: string, plain: string, words: AnswerWords): Printout {
  const { answers, torn, doubt } = salvage(plain, words);
  if (torn !== undefined) return { kind: 'unsure', why: torn, answers };
  if (answers.length === 0 && doubt === undefined) return { kind: 'text', text };
  return { kind: 'mixed', text, answers, ...(doubt !== undefined && { doubt }) };
}

/** How a dialect interprets an object, plain text, and text that contains something like an answer. */
export interface PrintoutReader {
  readonly object: (value: Fields) => Answer;
  /** Interprets an object in damaged output, of which only refusals count. Default: `object`. */
  readonly salvaged?: (value: Fields) => Answer;
  readonly text: (text: string) => Answer;
  /** `strict`: the effects in its answers that make the outcome stricter. */
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

/**
 * Reads the output of a broken hook, which can only refuse. `read` interprets it as if the hook had ended
 * normally.
 */
export function readBroken(
  { why, stdout = '', stderr = '', notes }: BrokenReply,
  read: (reply: ExitReply) => Answer,
): Answer {
  const ended: ExitReply = { kind: 'exited', code: 0, stdout, stderr, ...(notes && { notes }) };
  return { effects: stdout === '' ? [] : read(ended).effects.filter(tightens), failed: why };
}

/** Combines a refusal by exit code with printed effects that also hold the action back. */
export const refusedBoth = (ended: readonly Effect[], printed: readonly Effect[]): readonly Effect[] => [
  ...ended,
  ...printed.filter((one) => tightens(one) && !ended.some(({ kind }) => kind === one.kind)),
];

/** Adds the runner's notes to those of the reader. */
export const withNotes = (answer: Answer, notes: Notes | undefined): Answer =>
  notes === undefined ? answer : { ...answer, notes: { ...notes, ...answer.notes } };

/** An unreadable answer, with the effects in it that still count. */
export const unreadable = (detail: string, effects: readonly Effect[] = []): Answer => ({
  effects,
  failed: { kind: 'unreadable', detail },
});
