/** Converts the exit code and output of a Goose hook to effects. */

import { isPlain } from '../../../events/changes.ts';
import { cutText } from '../../../events/cut.ts';
import {
  context,
  type Effect,
  tightens,
  ask,
  notice,
  cancel,
  deny,
  type EffectOf,
  resume,
} from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { rowOf } from '../../../events/events.ts';
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
import { NO_REASON } from '../../../events/proceed.ts';
import { CONTEXT_BYTES, REASON_BYTES } from './limits.ts';
import { BLOCKABLE } from './names.ts';

/** Reads the documented result object. Unknown keys are accepted, because shipped scripts send some. */
function readResult(result: Record<string, unknown>, event: Event, word: string): Answer {
  const faults: string[] = [];
  const text = (key: string, value: unknown): string | undefined => {
    if (value !== undefined && value !== null && typeof value !== 'string')
      faults.push(`'${key}' is not a string`);
    return typeof value === 'string' ? value : undefined;
  };
  const effects: Effect[] = [];
  const specific = isPlain(result['hookSpecificOutput']) ? result['hookSpecificOutput'] : {};
  const decision = decisionOf(result['decision']) ?? claudes(specific['permissionDecision']);
  const why =
    text('reason', result['reason']) ??
    text('permissionDecisionReason', specific['permissionDecisionReason']);
  const reason = why?.trim() ? cutText(why.trim(), REASON_BYTES) : undefined;
  if (decision === 'unknown')
    faults.push(`decision ${JSON.stringify(result['decision'])}; known are allow and block`);
  if (decision === 'block' || decision === 'ask') {
    const no = gooseRefusal(event, word, reason);
    if (no === null) faults.push(`a decision to ${decision}, but ${word} cannot be blocked`);
    else effects.push(decision === 'ask' && no.kind === 'deny' ? ask(reason) : no);
  }
  const added =
    text('additionalContext', result['additionalContext']) ??
    text('additional_context', result['additional_context']) ??
    text('hookSpecificOutput.additionalContext', specific['additionalContext']);
  if (added !== undefined && added.trim() !== '') effects.push(context(cutText(added, CONTEXT_BYTES)));
  const banner = word === 'SessionStart' ? text('banner', result['banner']) : undefined;
  if (banner?.trim()) effects.push(notice(banner));
  if (faults.length === 0) return { effects };
  // Effects next to an unknown decision do not reach the model.
  const kept = decision === 'unknown' ? [] : effects;
  return { effects: kept, failed: { kind: 'unreadable', detail: faults.join('; ') } };
}

type Decision = 'allow' | 'block' | 'ask' | 'unknown' | undefined;
/** The document uses capitals, Goose's code lower case, and others write approve and deny. All are accepted. */
function decisionOf(value: unknown): Decision {
  if (value === undefined || value === null) return undefined;
  switch (typeof value === 'string' ? value.trim().toLowerCase() : '') {
    case 'block':
    case 'deny':
      return 'block';
    case 'allow':
    case 'approve':
      return 'allow';
    default:
      return 'unknown';
  }
}

/** Hooks in Claude Code files answer in that format. Their refusals must count although Goose does not read them. */
const claudes = (value: unknown): Decision =>
  value === 'deny' ? 'block' : value === 'ask' ? 'ask' : undefined;

export function readReply(reply: Reply, event: Event, hook: Hook): Answer {
  const { on } = hook;
  if (reply.kind === 'answered')
    return { ...readText(readPrintout(reply.body, WORDS), event, on), ...printed(reply.body) };
  if (reply.kind === 'broken') return readBroken(reply, (ended) => fromExit(ended, event, on));
  if (reply.kind !== 'exited') return unreadable(`a ${reply.kind} reply`);
  const { stdout, stderr, notes } = reply;
  return withNotes({ ...fromExit(reply, event, on), ...printed(stdout, stderr) }, notes);
}

/** According to the document, stdout that is not JSON becomes context. A decision in it is still searched for. */
const WORDS = { keys: ['decision', 'hookSpecificOutput', 'permissionDecision'], braceIsText: true } as const;

function fromExit({ code, stdout, stderr, notes }: ExitReply, event: Event, word: string): Answer {
  const message = stderr.trim();
  if (code === 2) {
    const no = gooseRefusal(event, word, cutText(message, REASON_BYTES) || undefined);
    return no === null ? failed(`exit 2, but ${word} cannot be blocked`) : { effects: [no] };
  }
  const answer = readText(readPrintout(stdout, WORDS, marksOf(notes)), event, word);
  if (code === 0) return answer;
  // A refusal counts for every exit code, other output of a failed hook does not.
  const strict = answer.effects.filter(tightens);
  return strict.length > 0
    ? { effects: strict }
    : failed(`exit ${code}${message === '' ? '' : `: ${cutText(message, 500)}`}`);
}
const failed = (detail: string): Answer => ({ effects: [], failed: { kind: 'failed', detail } });

/** Reads one JSON document, or text for the model. An unreadable decision is a failure, never text. */
const readText = (printout: Printout, event: Event, word: string): Answer =>
  readPrinted(printout, {
    object: (value) => readResult(value, event, word),
    text: (text) => ({ effects: [context(cutText(text, CONTEXT_BYTES))] }),
    mixed: readMixed,
  });

/** A decision on its own line can only tighten. Inside a line it is text with a mark, as documented. */
function readMixed({ text, answers, doubt }: MixedOutput, strict: readonly Effect[]): Answer {
  if (strict.length > 0)
    return { effects: strict.slice(0, 1), ...(doubt !== undefined && { notes: { doubt } }) };
  if (answers.length > 0 || doubt === undefined)
    return unreadable('the output has text around the decision: print only the JSON, and logs to stderr');
  return { effects: [context(cutText(text, CONTEXT_BYTES))], notes: { doubt } };
}

function printed(...texts: readonly string[]): Pick<Answer, 'printed'> {
  const joined = texts.filter((text) => text.trim()).join('\n');
  return joined === '' ? {} : { printed: joined };
}

/** The effect of a refusal on this event; null if Goose cannot block it. */
function gooseRefusal(
  event: Event,
  word: string,
  reason = NO_REASON,
): EffectOf<'deny' | 'resume' | 'cancel'> | null {
  if (!BLOCKABLE.has(word)) return null;
  const { effects } = rowOf(event.name);
  if (effects.includes('deny')) return deny(reason);
  return effects.includes('resume') ? resume(reason) : cancel(reason);
}
