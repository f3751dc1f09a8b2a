/** The document's result object. Unknown keys are tolerated: shipped scripts send some. */
import { isPlain } from '../../../events/changes.ts';
import { cutText } from '../../../events/cut.ts';
import { ask, context, type Effect, notice } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { Answer } from '../../../events/outcome.ts';
import { CONTEXT_BYTES, REASON_BYTES } from './limits.ts';
import { gooseRefusal } from './refusal.ts';

export function readResult(result: Record<string, unknown>, event: Event, word: string): Answer {
  const faults: string[] = [];
  const text = (key: string, value: unknown): string | undefined => {
    if (value !== undefined && value !== null && typeof value !== 'string')
      faults.push(`'${key}' is no text`);
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
  const told =
    text('additionalContext', result['additionalContext']) ??
    text('additional_context', result['additional_context']) ??
    text('hookSpecificOutput.additionalContext', specific['additionalContext']);
  if (told !== undefined && told.trim() !== '') effects.push(context(cutText(told, CONTEXT_BYTES)));
  const banner = word === 'SessionStart' ? text('banner', result['banner']) : undefined;
  if (banner?.trim()) effects.push(notice(banner));
  if (faults.length === 0) return { effects };
  // What came with a decision that nobody understands does not reach the model.
  const kept = decision === 'unknown' ? [] : effects;
  return { effects: kept, failed: { kind: 'unreadable', detail: faults.join('; ') } };
}

type Decision = 'allow' | 'block' | 'ask' | 'unknown' | undefined;
/** The document writes capitals, Goose's code reads small letters, others write approve and deny: all are understood. */
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

/** Hooks in a file of Claude Code's answer in its way; a refusal must not get lost because Goose never looked there. */
const claudes = (value: unknown): Decision =>
  value === 'deny' ? 'block' : value === 'ask' ? 'ask' : undefined;
