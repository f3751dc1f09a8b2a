/** What a hook of Codex means by how it ends and by what it prints. An answer that Codex would void decides nothing. */
import { isPlain } from '../../canon/changes.ts';
import { shown } from '../../canon/checker.ts';
import {
  allow,
  cancel,
  context,
  deny,
  type Effect,
  type Fields,
  halt,
  notice,
  resume,
  set,
  tightens,
} from '../../canon/effects.ts';
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
import { type CodexWord, codexEvent } from './events.ts';
import { tools } from './tools.ts';

export function readReply(reply: Reply, event: Event, hook: Hook): Answer {
  const word = hook.on as CodexWord; // a hook of this dialect has a word of this dialect
  switch (reply.kind) {
    case 'exited':
      return withNotes(readExit(reply, event, word), reply.notes);
    case 'returned':
      return reply.value === undefined ? { effects: [] } : readObject(reply.value, event, word);
    case 'answered':
      return readText(readPrintout(reply.body, WORDS), event, word);
    case 'threw':
      return { effects: [], failed: { kind: 'failed', detail: reply.message } };
    case 'broken':
      return readBroken(reply, ({ stdout, notes }) =>
        readText(readPrintout(stdout, WORDS, marksOf(notes)), event, word, readRefusal),
      );
  }
}

const WORDS = { keys: ['decision', 'continue', 'hookSpecificOutput', 'permissionDecision'] };

/** Exit 2 refuses whatever was printed. Codex wants a reason for it, and lets the call run without one; here it stands. */
function readExit({ code, stdout, stderr, notes }: ExitReply, event: Event, word: CodexWord): Answer {
  const read = code === 0 ? readObject : readRefusal;
  const said = readText(readPrintout(stdout, WORDS, marksOf(notes)), event, word, read);
  if (code === 0) return said;
  const strict = said.effects.filter(tightens);
  if (code !== 2)
    return { effects: strict, failed: { kind: 'failed', detail: `exit ${code}: ${stderr.trim()}` } };
  const effects = refused(word, stderr.trim() || NO_REASON);
  return effects === undefined
    ? unreadable(`exit 2 blocks no ${word}`, strict)
    : { effects: refusedBoth(effects, strict) };
}

/** What "no" comes to; undefined where it comes to nothing. */
function refused(word: CodexWord, reason: string): Effect[] | undefined {
  switch (codexEvent(word).block) {
    case 'deny':
      return [deny(reason)];
    case 'resume':
      return [resume(reason)];
    case 'replace':
      return [set('content', [{ type: 'text', text: reason }])];
    case 'failed':
      return undefined;
  }
}

/** Text is context on a few events, whatever it looks like; a refusal on a line of its own counts everywhere. */
function readText(printout: Printout, event: Event, word: CodexWord, read = readObject): Answer {
  const { plain, block } = codexEvent(word);
  return readPrinted(printout, {
    object: (value) => read(value, event, word),
    salvaged: (value) => readRefusal(value, event, word),
    text: (text) => {
      if (plain) return { effects: [context(text)] };
      return block === 'resume' ? unreadable('text that is no JSON') : { effects: [] };
    },
    mixed: ({ text, doubt = 'an answer among other text' }, strict) =>
      strict.length > 0 || !plain
        ? unreadable(doubt, strict)
        : { effects: [context(text)], notes: { doubt } },
  });
}

const TOP = [
  'continue',
  'stopReason',
  'suppressOutput',
  'systemMessage',
  'decision',
  'reason',
  'hookSpecificOutput',
];

function readObject(value: unknown, event: Event, word: CodexWord): Answer {
  if (!isPlain(value)) return unreadable(`${shown(value)} is no answer: an object is expected`);
  const stray = Object.keys(value).find((key) => !TOP.includes(key));
  if (stray !== undefined) return unreadable(`unknown key ${shown(stray)}`);
  const specific = isPlain(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
  const named = specific['hookEventName'];
  if (named !== undefined && named !== word)
    return unreadable(`"hookEventName" is ${shown(named)}, the event is ${word}`);
  const effects = [...common(value, word), ...decided(value, word), ...specifics(specific, event, word)];
  const fault = effects.find((effect) => typeof effect === 'string');
  return fault === undefined ? { effects: effects as Effect[] } : unreadable(fault as string);
}

/**
 * An object in output that is damaged, or of a hook that broke. Codex reads nothing there. A refusal counts all the same, also in a
 * form that Codex would void: without a reason, or with a key that it does not know.
 */
function readRefusal(value: unknown, event: Event, word: CodexWord): Answer {
  const answer = readObject(value, event, word);
  if (answer.effects.length > 0 || !isPlain(value)) return answer;
  const specific = isPlain(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
  const inner = isPlain(specific['decision']) ? specific['decision'] : {};
  const isNo = ['block', 'deny'].some((no) =>
    [value['decision'], specific['permissionDecision'], inner['behavior']].includes(no),
  );
  const reason =
    textIn(value, 'reason') ??
    textIn(specific, 'permissionDecisionReason') ??
    textIn(inner, 'message') ??
    NO_REASON;
  return isNo ? { ...answer, effects: refused(word, reason) ?? [] } : answer;
}

/** An effect, or what voids the answer. */
type EffectOrFault = Effect | string;

function common(said: Fields, word: CodexWord): EffectOrFault[] {
  const { stop, message } = codexEvent(word);
  const told = textIn(said, 'systemMessage');
  return [
    ...(told !== undefined && message ? [notice(told)] : []),
    ...(said['continue'] !== false
      ? []
      : stop === undefined
        ? [`"continue" means nothing on ${word}`]
        : [stop === 'halt' ? halt(textIn(said, 'stopReason')) : cancel(textIn(said, 'stopReason'))]),
  ];
}

function decided(said: Fields, word: CodexWord): EffectOrFault[] {
  if (said['decision'] === undefined) return [];
  const reason = textIn(said, 'reason');
  if (said['decision'] !== 'block') return [`decision ${shown(said['decision'])} is not read`];
  if (reason === undefined) return ['"decision": "block" wants a "reason"'];
  return refused(word, reason) ?? [`nothing can be blocked on ${word}`];
}

function specifics(specific: Fields, event: Event, word: CodexWord): EffectOrFault[] {
  const told = textIn(specific, 'additionalContext');
  const decision = isPlain(specific['decision']) ? specific['decision'] : undefined;
  return [
    ...(told !== undefined && codexEvent(word).context ? [context(told)] : []),
    ...(word === 'PreToolUse' ? permission(specific, event) : []),
    ...(word === 'PermissionRequest' && decision?.['behavior'] === 'allow' ? [allow()] : []),
    ...(word === 'PermissionRequest' && decision?.['behavior'] === 'deny'
      ? [deny(textIn(decision, 'message') ?? 'refused by a hook that gave no reason')]
      : []),
  ];
}

function permission(specific: Fields, event: Event): EffectOrFault[] {
  const { permissionDecision: decision, updatedInput: updated } = specific;
  const reason = textIn(specific, 'permissionDecisionReason');
  if (decision === 'deny')
    return reason === undefined ? ['a deny wants a "permissionDecisionReason"'] : [deny(reason)];
  if (decision === 'allow' && isPlain(updated)) return changesIn(tools, event, updated);
  if (decision === undefined && updated === undefined) return [];
  return ['"permissionDecision" is deny with a reason, or allow with "updatedInput"'];
}
