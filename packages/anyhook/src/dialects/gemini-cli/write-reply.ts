/** An outcome for a Gemini agent: always one JSON document and exit 0, because the document decides whatever the code is. */
import { isPlain } from '../../canon/changes.ts';
import { contentText } from '../../canon/content.ts';
import type { Fields } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import type { ExitReply } from '../../canon/exchange.ts';
import { type Outcome, wasChanged } from '../../canon/outcome.ts';
import { geminiEvent, type GeminiWord, isGeminiWord, words } from './events.ts';

export function writeReply(outcome: Outcome, event: Event): ExitReply {
  const answer = answerOf(outcome, wordOf(event));
  const stdout = Object.keys(answer).length === 0 ? '' : `${JSON.stringify(answer)}\n`;
  return { kind: 'exited', code: 0, stdout, stderr: '' };
}

/** The word it came with, or the first that stands for our moment. */
function wordOf({ name, payload, raw }: Event): GeminiWord | undefined {
  const said = isPlain(raw) ? raw['hook_event_name'] : undefined;
  if (isGeminiWord(said)) return said;
  if (name !== 'other') return words[name]?.[0];
  const { word } = payload as { word?: unknown };
  return isGeminiWord(word) ? word : undefined;
}

function answerOf(outcome: Outcome, word: GeminiWord | undefined): Fields {
  const { flow } = outcome;
  const reason = refusalIn(outcome, word);
  const notices = outcome.forPerson.join('\n');
  const specific = word === undefined || reason !== undefined ? {} : specificOf(outcome, word);
  return {
    ...(flow.halt !== undefined && { continue: false, ...(flow.halt !== '' && { stopReason: flow.halt }) }),
    ...(reason !== undefined && { decision: 'deny', reason }),
    ...(notices !== '' && { systemMessage: notices }),
    ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: word, ...specific } }),
  };
}

/** After a tool, to refuse is to put another text in the place of its result. */
function refusalIn(outcome: Outcome, word: GeminiWord | undefined): string | undefined {
  const { proceed, reason, verdict, flow, payload, forModel } = outcome;
  if (proceed === 'no' && (verdict === 'deny' || flow.resume !== undefined)) return reason;
  if (word === undefined || geminiEvent(word).block !== 'replace' || !wasChanged(outcome, 'content'))
    return undefined;
  return [contentText(payload['content']) || '(nothing)', ...forModel].join('\n');
}

function specificOf(outcome: Outcome, word: GeminiWord): Fields {
  const told = geminiEvent(word).context ? outcome.forModel.join('\n') : '';
  return {
    // Gemini takes it as a whole: what is left out is gone.
    ...(word === 'BeforeTool' && wasChanged(outcome, 'input') && { tool_input: outcome.payload['input'] }),
    ...(told !== '' && { additionalContext: told }),
  };
}
