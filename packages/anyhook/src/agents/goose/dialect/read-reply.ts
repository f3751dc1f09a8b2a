/** What a Goose hook means by how it ended and what it printed. */
import { cutText } from '../../../events/cut.ts';
import { context, type Effect, tightens } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { ExitReply, Reply } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import type { Answer } from '../../../events/outcome.ts';
import {
  marksOf,
  type MixedOutput,
  type Printout,
  readBroken,
  readPrinted,
  readPrintout,
  unreadable,
  withNotes,
} from '../../../events/printout.ts';
import { CONTEXT_BYTES, REASON_BYTES } from './limits.ts';
import { readResult } from './read-result.ts';
import { gooseRefusal } from './refusal.ts';

export function readReply(reply: Reply, event: Event, hook: Hook): Answer {
  const { on } = hook;
  if (reply.kind === 'answered')
    return { ...readText(readPrintout(reply.body, WORDS), event, on), ...printed(reply.body) };
  if (reply.kind === 'broken') return readBroken(reply, (ended) => fromExit(ended, event, on));
  if (reply.kind !== 'exited') return unreadable(`a ${reply.kind} reply`);
  const { stdout, stderr, notes } = reply;
  return withNotes({ ...fromExit(reply, event, on), ...printed(stdout, stderr) }, notes);
}

/** The document: stdout that is not JSON becomes context. A decision in it is still looked for. */
const WORDS = { keys: ['decision', 'hookSpecificOutput', 'permissionDecision'], braceIsText: true } as const;

function fromExit({ code, stdout, stderr, notes }: ExitReply, event: Event, word: string): Answer {
  const said = stderr.trim();
  if (code === 2) {
    const no = gooseRefusal(event, word, cutText(said, REASON_BYTES) || undefined);
    return no === null ? failed(`exit 2, but ${word} cannot be blocked`) : { effects: [no] };
  }
  const answer = readText(readPrintout(stdout, WORDS, marksOf(notes)), event, word);
  if (code === 0) return answer;
  // A refusal is an answer however the hook ended; nothing else it printed is.
  const strict = answer.effects.filter(tightens);
  return strict.length > 0
    ? { effects: strict }
    : failed(`exit ${code}${said === '' ? '' : `: ${cutText(said, 500)}`}`);
}
const failed = (detail: string): Answer => ({ effects: [], failed: { kind: 'failed', detail } });

/** One JSON document, or text for the model. A decision that cannot be understood is a failure, never text. */
const readText = (printout: Printout, event: Event, word: string): Answer =>
  readPrinted(printout, {
    object: (value) => readResult(value, event, word),
    text: (text) => ({ effects: [context(cutText(text, CONTEXT_BYTES))] }),
    mixed: readMixed,
  });

/** A decision on a line of its own can only tighten. Elsewhere in a line it is text, as the document says, with a mark. */
function readMixed({ text, answers, doubt }: MixedOutput, strict: readonly Effect[]): Answer {
  if (strict.length > 0)
    return { effects: strict.slice(0, 1), ...(doubt !== undefined && { notes: { doubt } }) };
  if (answers.length > 0 || doubt === undefined)
    return unreadable('a decision among other text: print the JSON alone, and logs to stderr');
  return { effects: [context(cutText(text, CONTEXT_BYTES))], notes: { doubt } };
}

function printed(...texts: readonly string[]): Pick<Answer, 'printed'> {
  const said = texts.filter((text) => text.trim()).join('\n');
  return said === '' ? {} : { printed: said };
}
