/** What a Goose hook means by how it ended and what it printed. */
import { isPlain } from '../../canon/changes.ts';
import { cutText } from '../../canon/cut.ts';
import { looksLikeJson, readStrictJson, salvage } from '../../canon/document.ts';
import { context } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import type { Exited, Reply } from '../../canon/exchange.ts';
import type { Hook } from '../../canon/hook.ts';
import type { Answer } from '../../canon/outcome.ts';
import { CONTEXT_BYTES, REASON_BYTES } from './limits.ts';
import { readResult } from './read-result.ts';
import { refusal } from './refusal.ts';

export function readReply(reply: Reply, event: Event, { on }: Hook): Answer {
  if (reply.kind === 'answered') return { ...readText(reply.body, event, on), ...printed(reply.body) };
  if (reply.kind !== 'exited') return unreadable(`a ${reply.kind} reply`);
  const { stdout, stderr, notes } = reply;
  return { ...fromExit(reply, event, on), ...printed(stdout, stderr), ...(notes && { notes }) };
}

const SILENT: Answer = { effects: [] };
export const unreadable = (detail: string): Answer => ({
  effects: [],
  failed: { kind: 'unreadable', detail },
});

function fromExit(reply: Exited, event: Event, word: string): Answer {
  const { code, stderr } = reply;
  if (code === 0) return fromStdout(reply, event, word);
  const said = stderr.trim();
  if (code === 2) {
    const no = refusal(event, word, cutText(said, REASON_BYTES) || undefined);
    return no === null ? failed(`exit 2, but ${word} cannot be blocked`) : { effects: [no] };
  }
  // A refusal counts however the hook ended; nothing else it printed does.
  const { effects } = readText(reply.stdout, event, word);
  return {
    ...failed(`exit ${code}${said === '' ? '' : `: ${cutText(said, 500)}`}`),
    effects: effects.filter(isNo),
  };
}
const failed = (detail: string): Answer => ({ effects: [], failed: { kind: 'failed', detail } });
const isNo = ({ kind }: { kind: string }) =>
  kind === 'deny' || kind === 'resume' || kind === 'cancel' || kind === 'ask';

function fromStdout({ stdout, notes }: Exited, event: Event, word: string): Answer {
  const answer = readText(stdout, event, word);
  if (notes?.replaced === true && stdout.includes('\uFFFD'))
    return { ...unreadable('the output is no UTF-8'), effects: answer.effects.filter(isNo) };
  if (notes?.truncated?.stdout !== undefined && looksLikeJson(stdout))
    return unreadable('the answer was cut at the limit for output');
  return answer;
}

/** One JSON document, or text for the model. A decision that cannot be understood is a failure, never text. */
function readText(text: string, event: Event, word: string): Answer {
  const said = text.trim();
  if (said === '') return SILENT;
  const document = readStrictJson(said);
  if (document.ok && isPlain(document.value)) return readResult(document.value, event, word);
  if (said.startsWith('{')) return unreadable(document.ok ? 'the answer is no object' : document.why);
  return decisionAmong(said, event, word) ?? { effects: [context(cutText(said, CONTEXT_BYTES))] };
}

/** A decision among other text may be somebody else's words: it can only tighten. */
function decisionAmong(text: string, event: Event, word: string): Answer | undefined {
  const { objects, torn } = salvage(text);
  const answers = objects.filter((object) => 'decision' in object);
  if (answers.length === 0 && !torn.some((line) => line.includes('"decision"'))) return undefined;
  const effects = answers.flatMap((one) => readResult(one, event, word).effects.filter(isNo));
  return effects.length > 0
    ? { effects: effects.slice(0, 1) }
    : unreadable('a decision among other text: print the JSON alone, and logs to stderr');
}

function printed(...texts: readonly string[]): Pick<Answer, 'printed'> {
  const said = texts.filter((text) => text.trim()).join('\n');
  return said === '' ? {} : { printed: said };
}
