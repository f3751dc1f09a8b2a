/** Section 9: `{ decision?, reason?, updatedInput?, additionalContext? }`. Strict: a guard misunderstood is no guard. */
import { diff, isPlain } from '../../../events/changes.ts';
import { readFencedJson } from '../../../events/document.ts';
import { allow, ask, context, deny, type Effect, type Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { changesIn } from '../../../events/lexicon.ts';
import type { Answer } from '../../../events/outcome.ts';
import { unreadable } from '../../../events/printout.ts';
import { optaRefusal } from './refusal.ts';
import { tools } from './tools.ts';

const KEYS = ['decision', 'reason', 'updatedInput', 'additionalContext'];

/** A model's judgement: `{ ok, reason? }`, or a decision with its reason. It decides, and nothing besides. */
export function readOptaJudgement(body: string, event: Event): Answer {
  const document = readFencedJson(body);
  if (!document.ok) return unreadable(`the model's answer is no JSON: ${document.why}`);
  if (!isPlain(document.value)) return unreadable("the model's answer is no object");
  const { ok, decision, reason, ...rest } = document.value;
  const [odd] = Object.keys(rest);
  if (odd !== undefined) return unreadable(`a judgement has no '${odd}'; known are ok, decision, reason`);
  if ((ok === undefined) === (decision === undefined))
    return unreadable("a judgement has either 'ok' or 'decision'");
  if (ok !== undefined && typeof ok !== 'boolean') return unreadable("'ok' is neither true nor false");
  const said = ok === undefined ? { decision } : ok ? {} : { decision: 'deny' };
  return readOptaAnswer({ ...said, ...(reason !== undefined && { reason }) }, event);
}

export function readOptaAnswer(said: Record<string, unknown>, event: Event): Answer {
  const odd = Object.keys(said).find((key) => !KEYS.includes(key));
  if (odd !== undefined) return unreadable(`unknown key '${odd}'; known are ${KEYS.join(', ')}`);
  const { decision, reason, updatedInput, additionalContext } = said;
  if (reason !== undefined && typeof reason !== 'string') return unreadable("'reason' is no text");
  const effects: Effect[] = [];
  if (decision === 'deny') effects.push(optaRefusal(event, reason) ?? deny(reason));
  else if (decision === 'ask') effects.push(ask(reason));
  else if (decision === 'allow') effects.push(allow(reason));
  else if (decision !== undefined)
    return unreadable(`decision ${JSON.stringify(decision)}; known are allow, deny, ask`);
  if (updatedInput !== undefined) {
    if (!isPlain(updatedInput)) return unreadable("'updatedInput' is no object");
    effects.push(...changesOf(updatedInput, event));
  }
  if (additionalContext !== undefined) {
    if (typeof additionalContext !== 'string') return unreadable("'additionalContext' is no text");
    effects.push(context(additionalContext));
  }
  return { effects };
}

/** A tool's arguments are replaced as a whole; of another event the fields that are named. */
const changesOf = (updated: Record<string, unknown>, event: Event) =>
  'tool' in event.payload
    ? changesIn(tools, event, updated)
    : Object.keys(updated).flatMap((key) => diff(key, (event.payload as Fields)[key], updated[key]));
