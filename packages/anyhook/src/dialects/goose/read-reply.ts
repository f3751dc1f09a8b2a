/** What a Goose hook means by how it ended and what it printed. */
import { cutText } from '../../canon/cut.ts';
import { context, type Effect, type Fields, tightens } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import type { ExitReply, Reply } from '../../canon/exchange.ts';
import type { Hook } from '../../canon/hook.ts';
import type { Answer } from '../../canon/outcome.ts';
import {
  marksOf,
  type MixedOutput,
  type Printout,
  readBroken,
  readPrintout,
  unreadable,
  withNotes,
} from '../../canon/printout.ts';
import { CONTEXT_BYTES, REASON_BYTES } from './limits.ts';
import { readResult } from './read-result.ts';
import { gooseRefusal } from './refusal.ts';

export function readReply(reply: Reply, event: Event, hook: Hook): Answer {
  const { on } = hook;
  if (reply.kind === 'answered')
    return { ...readPrinted(readPrintout(reply.body, WORDS), event, on), ...printed(reply.body) };
  if (reply.kind === 'broken') return readBroken(reply, (ended) => fromExit(ended, event, on));
  if (reply.kind !== 'exited') return unreadable(`a ${reply.kind} reply`);
  const { stdout, stderr, notes } = reply;
  return withNotes({ ...fromExit(reply, event, on), ...printed(stdout, stderr) }, notes);
}

const WORDS = { keys: ['decision', 'hookSpecificOutput', 'permissionDecision'] };

function fromExit({ code, stdout, stderr, notes }: ExitReply, event: Event, word: string): Answer {
  const said = stderr.trim();
  if (code === 2) {
    const no = gooseRefusal(event, word, cutText(said, REASON_BYTES) || undefined);
    return no === null ? failed(`exit 2, but ${word} cannot be blocked`) : { effects: [no] };
  }
  const answer = readPrinted(readPrintout(stdout, WORDS, marksOf(notes)), event, word);
  if (code === 0) return answer;
  // A refusal is an answer however the hook ended; nothing else it printed is.
  const strict = answer.effects.filter(tightens);
  return strict.length > 0
    ? { effects: strict }
    : failed(`exit ${code}${said === '' ? '' : `: ${cutText(said, 500)}`}`);
}
const failed = (detail: string): Answer => ({ effects: [], failed: { kind: 'failed', detail } });

/** One JSON document, or text for the model. A decision that cannot be understood is a failure, never text. */
function readPrinted(printout: Printout, event: Event, word: string): Answer {
  switch (printout.kind) {
    case 'nothing':
      return { effects: [] };
    case 'document':
      return readResult(printout.value, event, word);
    case 'text':
      return { effects: [context(cutText(printout.text, CONTEXT_BYTES))] };
    case 'mixed':
      return readMixed(printout, event, word);
    case 'unsure':
      return unreadable(printout.why, strictIn(printout.answers, event, word));
  }
}

/** A decision on a line of its own can only tighten. Elsewhere in a line it is text, as the document says, with a mark. */
function readMixed({ text, answers, doubt }: MixedOutput, event: Event, word: string): Answer {
  const strict = strictIn(answers, event, word);
  if (strict.length > 0)
    return { effects: strict.slice(0, 1), ...(doubt !== undefined && { notes: { doubt } }) };
  if (answers.length > 0 || doubt === undefined)
    return unreadable('a decision among other text: print the JSON alone, and logs to stderr');
  return { effects: [context(cutText(text, CONTEXT_BYTES))], notes: { doubt } };
}
const strictIn = (answers: readonly Fields[], event: Event, word: string): Effect[] =>
  answers.flatMap((answer) => readResult(answer, event, word).effects.filter(tightens));

function printed(...texts: readonly string[]): Pick<Answer, 'printed'> {
  const said = texts.filter((text) => text.trim()).join('\n');
  return said === '' ? {} : { printed: said };
}
