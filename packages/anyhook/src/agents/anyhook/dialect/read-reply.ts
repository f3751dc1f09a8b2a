/** Converts the reply of a hook to effects. No output means no objection. Only a complete document can approve. */

import { looksLikeJson, readFencedJson, readStrictJson } from '../../../events/document.ts';
import { context, type Effect, type Fields, tightens } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { HttpReply, HookFailure, ExitReply, Reply } from '../../../events/exchange.ts';
import { EXIT_HINT } from '../../../events/exit-hint.ts';
import type { Hook } from '../../../events/hook.ts';
import type { Answer } from '../../../events/outcome.ts';
import {
  marksOf,
  type MixedOutput,
  readBroken,
  readPrintout,
  type StreamMarks,
} from '../../../events/printout.ts';
import { sentence } from '../../../events/problems.ts';
import {
  ANSWER_KEYS,
  type AnswerRead,
  DECIDING_KEYS,
  readOwnAnswer,
  readOwnJudgement,
  sense,
} from './read-answer.ts';
import { readEffects } from './read-effect.ts';
import { refuse } from './refuse.ts';

export function readReply(reply: Reply, event: Event, hook: Hook): Answer {
  switch (reply.kind) {
    case 'exited':
      return readExit(reply, event, hook);
    case 'answered':
      return readBody(reply, event, hook);
    case 'returned':
      return answer(readValue(reply.value, event));
    case 'threw':
      return { effects: [], failed: { kind: 'failed', detail: reply.message } };
    case 'broken':
      return readBroken(reply, (ended) => readExit(ended, event, hook));
  }
}

const readValue = (value: unknown, event: Event): AnswerRead =>
  sense(() => (value === undefined || value === null ? [] : readEffects([value].flat(), event)));

/** The exit code of a document that asks. Without a document it is a failure. */
export const EXIT_ASKS = 3;

function readExit(reply: ExitReply, event: Event, hook: Hook): Answer {
  const { code, stdout, stderr, notes } = reply;
  const read = readStdout(stdout, event, marksOf(notes));
  const beside = {
    ...(notes && { notes }),
    // An answer that was read is not also recorded as output.
    ...printed(read.kind === 'document' && read.ok ? '' : stdout, stderr),
  };
  if (code === 2) return { ...refusal(read, stderr, event), ...beside };
  const asks = read.ok && read.effects.some(({ kind }) => kind === 'ask');
  if (hook.extra?.['exit'] === 'any' && code !== 0 && !(code === EXIT_ASKS && asks))
    return { ...refusal(read, outputEnd(stdout, stderr), event), ...beside };
  if (code === 0 || (code === EXIT_ASKS && asks)) return { ...answer(read), ...beside };
  const failed = ended(code, stderr);
  const hint = HOLDS_A_STOP.has(event.name) ? `${sentence(failed.detail)} ${EXIT_HINT}` : failed.detail;
  return { effects: tightening(read), failed: { ...failed, detail: hint }, ...beside };
}

/** Events on which hooks are often a test run or a linter, whose failures users expect to resume the agent. */
const HOLDS_A_STOP: ReadonlySet<string> = new Set(['turn.stop', 'subagent.stop']);

/** The end of what a command printed, where test runners and linters summarise. */
const outputEnd = (stdout: string, stderr: string): string =>
  [stdout, stderr]
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n')
    .slice(-MAX_REASON);
const MAX_REASON = 4_000;

/** Exit 2 is a refusal whatever was printed, even next to an approval or unreadable output. */
function refusal(read: StdoutRead, stderr: string, event: Event): Answer {
  const effects = read.ok ? read.effects.filter(({ kind }) => kind !== 'allow') : [];
  const reason = stderr.trim() || undefined;
  const no = refuse(event.name, reason ?? 'refused by a hook without a reason');
  if (no === undefined)
    return {
      effects: tightening(read),
      failed: {
        kind: 'failed',
        detail: `exit 2, but ${event.name} cannot be refused${reason ? `: ${reason}` : ''}`,
      },
    };
  const own = effects.find(({ kind }) => kind === no.kind);
  // The document itself already refuses in another way, and the exit code only repeats it.
  if (own === undefined && read.ok && effects.some((effect) => tightens(effect) && effect.kind !== 'ask'))
    return { effects: read.effects };
  if (own === undefined) return { effects: [no, ...effects] };
  const explained = 'reason' in own || reason === undefined ? own : { ...own, reason };
  return { effects: effects.map((effect) => (effect === own ? (explained as Effect) : effect)) };
}

/** Events on which plain text is for the model, as in Claude Code and Goose. */
const PLAIN_TEXT: ReadonlySet<string> = new Set(['session.start', 'prompt.submit']);

type StdoutRead = AnswerRead & { readonly kind: 'nothing' | 'document' | 'text' };

const WORDS = { keys: [...ANSWER_KEYS], deciding: DECIDING_KEYS };

function readStdout(stdout: string, event: Event, marks?: StreamMarks): StdoutRead {
  const printout = readPrintout(stdout, WORDS, marks);
  switch (printout.kind) {
    case 'nothing':
      return { kind: 'nothing', ok: true, effects: [] };
    case 'document':
      return { kind: 'document', ...readOwnAnswer(printout.value, event) };
    case 'unsure':
      return {
        kind: 'text',
        ok: false,
        why: printout.why,
        effects: strictIn(readAll(printout.answers, event)),
      };
    case 'mixed':
      return { kind: 'text', ...readMixed(printout, event) };
    case 'text':
      if (looksLikeJson(stdout)) return { kind: 'text', ...aList(stdout) };
      return { kind: 'text', ok: true, effects: PLAIN_TEXT.has(event.name) ? [context(stdout.trim())] : [] };
  }
}

/** Text is a log. An answer in the middle of it may quote someone else's text, so it can only tighten. */
function readMixed({ answers, doubt }: MixedOutput, event: Event): AnswerRead {
  const reads = readAll(answers, event);
  const strict = strictIn(reads);
  const unclear = reads.some(
    (read) => !read.ok || !read.effects.some(tightens) || read.effects.some(loosens),
  );
  if (!unclear && doubt === undefined) return { ok: true, effects: strict };
  const why = doubt ?? 'the output has text around the JSON answer';
  return { ok: false, why: `${why}: print only the JSON, and logs to stderr`, effects: strict };
}
const readAll = (answers: readonly Fields[], event: Event): AnswerRead[] =>
  answers.map((object) => readOwnAnswer(object, event));
const strictIn = (reads: readonly AnswerRead[]): Effect[] =>
  reads.flatMap((read) => (read.ok ? read.effects.filter(tightens) : []));
const loosens = ({ kind }: Effect): boolean => kind === 'allow' || kind === 'set';

/** Output that starts with a bracket should be JSON, but a list is not an answer. */
function aList(stdout: string): AnswerRead {
  const document = readStrictJson(stdout);
  return { ok: false, why: document.ok ? 'a list is not an answer; expected an object' : document.why };
}

function readBody({ status, body }: HttpReply, event: Event, hook: Hook): Answer {
  if (status < 200 || status > 299) return { effects: [], failed: ended(status, body), ...printed(body) };
  if (hook.run.kind !== 'prompt') {
    const read = readStdout(body, event);
    return { ...answer(read), ...(read.kind === 'document' && read.ok ? {} : printed(body)) };
  }
  const document = readFencedJson(body);
  const read = document.ok ? readOwnJudgement(document.value, event) : document;
  return { ...answer(read), ...printed(body) };
}

const answer = (read: AnswerRead): Answer =>
  read.ok
    ? { effects: read.effects }
    : { effects: read.effects ?? [], failed: { kind: 'unreadable', detail: read.why } };
const tightening = (read: AnswerRead): readonly Effect[] => (read.effects ?? []).filter(tightens);
const ended = (code: number, output: string): HookFailure & { readonly detail: string } => ({
  kind: 'failed',
  detail: output.trim() === '' ? `ended with ${code}` : `ended with ${code}: ${output.trim().slice(0, 500)}`,
});
function printed(...texts: readonly (string | undefined)[]): Pick<Answer, 'printed'> {
  const joined = texts.filter((text) => text?.trim()).join('\n');
  return joined === '' ? {} : { printed: joined };
}
