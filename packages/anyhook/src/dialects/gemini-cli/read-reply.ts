/** What a hook of Gemini means. Exit 2 refuses; otherwise its JSON decides, on stdout or else on stderr, then the exit code. */
import { isPlain } from '../../canon/changes.ts';
import { shown } from '../../canon/checker.ts';
import { ask, context, deny, type Effect, halt, notice, resume, set, tightens } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import type { ExitReply, Reply } from '../../canon/exchange.ts';
import type { Hook } from '../../canon/hook.ts';
import { changesIn } from '../../canon/lexicon.ts';
import type { Answer } from '../../canon/outcome.ts';
import {
  marksOf,
  type Printout,
  readBroken,
  readPrinted,
  readPrintout,
  refusedBoth,
  unreadable,
  withNotes,
} from '../../canon/printout.ts';
import { NO_REASON } from '../../canon/proceed.ts';
import { textIn } from '../claude-shaped/translation.ts';
import { geminiEvent, type GeminiWord } from './events.ts';
import { tools } from './tools.ts';

export function readReply(reply: Reply, event: Event, hook: Hook): Answer {
  const word = hook.on as GeminiWord; // a hook of this dialect has a word of this dialect
  switch (reply.kind) {
    case 'exited':
      return withNotes(readExit(reply, event, word), reply.notes);
    case 'returned':
      return reply.value === undefined ? { effects: [] } : readObject(reply.value, event, word);
    case 'answered':
      return unreadable('Gemini has no hooks at an address');
    case 'threw':
      return { effects: [], failed: { kind: 'failed', detail: reply.message } };
    case 'broken':
      return readBroken(reply, (ended) => readExit(ended, event, word));
  }
}

const WORDS = { keys: ['decision', 'continue', 'hookSpecificOutput'] };

function readExit({ code, stdout, stderr, notes }: ExitReply, event: Event, word: GeminiWord): Answer {
  const stream = stdout.trim() === '' ? 'stderr' : 'stdout';
  const text = stream === 'stdout' ? stdout.trim() : stderr.trim();
  const printout = readPrintout(text, WORDS, marksOf(notes, stream));
  if (code === 2) return readRefusal(printout, stderr.trim() || text, event, word);
  if (code === 0 || printout.kind === 'document') return readText(printout, event, word);
  const strict = readText(printout, event, word).effects.filter(tightens);
  if (code === 1) return { effects: strict, failed: { kind: 'failed', detail: `exit 1: ${text}` } };
  // Any other code refuses, if it comes with a word.
  const no = text === '' ? undefined : refused(event, word, text);
  return no === undefined
    ? unreadable(text === '' ? `exit ${code} without a word` : `exit ${code} blocks no ${word}`, strict)
    : { effects: refusedBoth([no], strict) };
}

/** Exit 2 refuses whatever was printed, and without a word too: Gemini lets a document undo it, and a silence. */
function readRefusal(printout: Printout, said: string, event: Event, word: GeminiWord): Answer {
  const read = readText(printout, event, word).effects;
  const own = read.some(tightens);
  const beside =
    printout.kind === 'document' ? read.filter(({ kind }) => kind !== 'set') : read.filter(tightens);
  const why = printout.kind === 'document' ? textIn(printout.value, 'reason') : said;
  const no = refused(event, word, why || NO_REASON);
  if (no === undefined) return unreadable(`exit 2 blocks no ${word}`, beside);
  return { effects: own ? beside : [no, ...beside] };
}

const readText = (printout: Printout, event: Event, word: GeminiWord): Answer =>
  readPrinted(printout, {
    object: (value) => readObject(value, event, word),
    text: (text) => ({ effects: [notice(text)] }),
    mixed: ({ text, doubt = 'an answer among other text' }, strict) =>
      unreadable(doubt, [...strict, notice(text)]),
  });

/** What "no" comes to; undefined where it comes to nothing. */
function refused({ name }: Event, word: GeminiWord, reason: string): Effect | undefined {
  switch (geminiEvent(word).block) {
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

function readObject(value: unknown, event: Event, word: GeminiWord): Answer {
  if (!isPlain(value)) return unreadable(`${shown(value)} is no answer: an object is expected`);
  const { decision } = value;
  if (decision !== undefined && !DECISIONS.includes(decision as string))
    return unreadable(`decision ${shown(decision)} is not known`);
  const row = geminiEvent(word);
  const specific = isPlain(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
  const effects: Effect[] = [];
  if (value['continue'] === false && row.stops)
    effects.push(halt(textIn(value, 'stopReason') ?? textIn(value, 'reason')));
  if (decision === 'deny' || decision === 'block') {
    const no = refused(event, word, textIn(value, 'reason') ?? NO_REASON);
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
