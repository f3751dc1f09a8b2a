/** What a hook of Gemini means. Its JSON decides, on stdout or else on stderr; only without any does the exit code. */
import { isPlain } from '../../canon/changes.ts';
import { shown } from '../../canon/checker.ts';
import { readStrictJson } from '../../canon/document.ts';
import {
  ask,
  context,
  deny,
  type Effect,
  type Fields,
  halt,
  notice,
  resume,
  set,
} from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import type { Exited, Reply } from '../../canon/exchange.ts';
import type { Hook } from '../../canon/hook.ts';
import { changesIn } from '../../canon/lexicon.ts';
import type { Answer } from '../../canon/outcome.ts';
import { eventRow, type GeminiWord } from './events.ts';
import { tools } from './tools.ts';

export function readReply(reply: Reply, event: Event, hook: Hook): Answer {
  const word = hook.on as GeminiWord; // a hook of this dialect has a word of this dialect
  switch (reply.kind) {
    case 'exited':
      return { ...readExit(reply, event, word), ...(reply.notes && { notes: reply.notes }) };
    case 'returned':
      return reply.value === undefined ? { effects: [] } : readObject(reply.value, event, word);
    case 'answered':
      return unreadable('Gemini has no hooks at an address');
    case 'threw':
      return { effects: [], failed: { kind: 'failed', detail: reply.message } };
    case 'broken':
      return { effects: [], failed: reply.why };
  }
}

const unreadable = (detail: string): Answer => ({ effects: [], failed: { kind: 'unreadable', detail } });

function readExit({ code, stdout, stderr }: Exited, event: Event, word: GeminiWord): Answer {
  const text = stdout.trim() || stderr.trim();
  const document = text.startsWith('{') ? readStrictJson(text) : undefined;
  if (document?.ok === true) return readObject(document.value, event, word);
  if (code === 0) return { effects: text === '' ? [] : [notice(text)] };
  if (code === 1) return { effects: [], failed: { kind: 'failed', detail: `exit 1: ${text}` } };
  // Any other code refuses, if it comes with a word: Gemini reads a silent exit 2 as nothing. Here it is a failure.
  const no = text === '' ? undefined : refused(event, word, text);
  return no === undefined
    ? unreadable(text === '' ? `exit ${code} without a word` : `exit ${code} blocks no ${word}`)
    : { effects: [no] };
}

/** What "no" comes to; undefined where it comes to nothing. */
function refused({ name }: Event, word: GeminiWord, reason: string): Effect | undefined {
  switch (eventRow(word).block) {
    case 'deny':
      return deny(reason);
    case 'resume':
      return resume(reason);
    case 'replace':
      return name === 'tool.failed' ? set('error', reason) : set('content', [{ type: 'text', text: reason }]);
    case 'nothing':
      return undefined;
  }
}

const DECISIONS = ['allow', 'approve', 'ask', 'block', 'deny'];
const textIn = (fields: Fields, key: string): string | undefined =>
  typeof fields[key] === 'string' && fields[key].trim() !== '' ? fields[key] : undefined;

function readObject(value: unknown, event: Event, word: GeminiWord): Answer {
  if (!isPlain(value)) return unreadable(`${shown(value)} is no answer: an object is expected`);
  const { decision } = value;
  if (decision !== undefined && !DECISIONS.includes(decision as string))
    return unreadable(`decision ${shown(decision)} is not known`);
  const row = eventRow(word);
  const specific = isPlain(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
  const effects: Effect[] = [];
  if (value['continue'] === false && row.stops)
    effects.push(halt(textIn(value, 'stopReason') ?? textIn(value, 'reason')));
  if (decision === 'deny' || decision === 'block') {
    const no = refused(event, word, textIn(value, 'reason') ?? 'blocked by a hook that gave no reason');
    if (no === undefined) return unreadable(`nothing can be refused on ${word}`);
    effects.push(no);
  }
  if (decision === 'ask' && row.block === 'deny') effects.push(ask(textIn(value, 'reason')));
  if (word === 'BeforeTool' && isPlain(specific['tool_input']))
    effects.push(...changesIn(tools, event, specific['tool_input']));
  const told = textIn(specific, 'additionalContext');
  if (told !== undefined && row.context) effects.push(context(told));
  const message = textIn(value, 'systemMessage');
  if (message !== undefined) effects.push(notice(message));
  return { effects };
}
