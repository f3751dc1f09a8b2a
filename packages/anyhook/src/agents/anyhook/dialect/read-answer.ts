/** Reads the answer of our dialect: `{ "decision", "reason", "input", "set", "context", … }`. Nothing is guessed. */

import { diff, isPlain } from '../../../events/changes.ts';
import { shown, suggestion } from '../../../events/checker.ts';
import {
  type Effect,
  type EffectOf,
  type Fields,
  type FlowKind,
  type Verdict,
} from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { GIFTS, isGift } from '../../../events/gifts.ts';
import { checkChange, Nonsense, readEffects } from './read-effect.ts';
import { refuse } from './refuse.ts';

export type AnswerRead =
  | { readonly ok: true; readonly effects: readonly Effect[] }
  /** `effects` contains what could be read and only tightens. */
  | { readonly ok: false; readonly why: string; readonly effects?: readonly Effect[] };

const VERDICTS: readonly Verdict[] = ['allow', 'ask', 'defer', 'deny'];
const TURNS: readonly FlowKind[] = ['halt', 'cancel', 'resume', 'retry'];
const KEYS = [
  'decision',
  'reason',
  'input',
  'set',
  'context',
  'notice',
  ...TURNS,
  'give',
  'effects',
] as const;
export const ANSWER_KEYS: ReadonlySet<string> = new Set<string>(KEYS);
/** Keys that no payload has, so they identify an answer anywhere in the output. */
export const DECIDING_KEYS: readonly string[] = ['decision', ...TURNS, 'effects'];

export function readOwnAnswer(document: unknown, event: Event): AnswerRead {
  return sense(() => {
    const answer = answerOf(document, KEYS);
    return [
      ...verdictOf(answer, event),
      ...changesOf(answer, event),
      ...textsOf('context', answer['context']),
      ...textsOf('notice', answer['notice']),
      ...TURNS.flatMap((turn) => turnOf(turn, answer)),
      ...giftsOf(answer['give']),
      ...readEffects(listOf('effects', answer['effects']), event),
    ];
  });
}

/** Reads a judge's answer: `{ "ok": false, "reason" }`, or only a decision. `ok: true` is no objection and no vote. */
export function readOwnJudgement(document: unknown, event: Event): AnswerRead {
  return sense(() => {
    const answer = answerOf(document, ['ok', 'decision', 'reason']);
    const { ok, decision, reason } = answer;
    if ((ok === undefined) === (decision === undefined))
      throw new Nonsense('expected either "ok" or "decision"');
    if (decision !== undefined) return verdictOf(answer, event);
    if (typeof ok !== 'boolean') throw new Nonsense(`"ok" is ${shown(ok)}; expected true or false`);
    const why = optionalText('reason', reason);
    return ok ? [] : [refuse(event.name, why) ?? because('deny', why)];
  });
}

/** Turns any error while an answer is read into a problem of that answer. */
export function sense(read: () => readonly Effect[]): AnswerRead {
  try {
    return { ok: true, effects: read() };
  } catch (error) {
    if (error instanceof Nonsense) return { ok: false, why: error.message };
    const detail = error instanceof Error ? `: ${error.message}` : '';
    return { ok: false, why: `the answer cannot be read${detail}` };
  }
}

function answerOf(document: unknown, keys: readonly string[]): Fields {
  if (!isPlain(document)) throw new Nonsense(`${shown(document)} is not an answer; expected an object`);
  for (const key of Object.keys(document))
    if (!keys.includes(key)) throw new Nonsense(`unknown key ${shown(key)}. ${suggestion(key, keys)}`);
  return Object.assign(Object.create(null) as object, document) as Fields; // own keys only, nothing inherited
}

function verdictOf(answer: Fields, event: Event): Effect[] {
  const { decision } = answer;
  const reason = optionalText('reason', answer['reason']);
  if (decision === undefined) {
    if (reason !== undefined && !TURNS.some((turn) => answer[turn] === true))
      throw new Nonsense('a "reason" without a "decision"');
    return [];
  }
  const verdict = VERDICTS.find((word) => word === decision);
  if (verdict === undefined)
    throw new Nonsense(`"decision" is ${shown(decision)}. ${suggestion(String(decision), VERDICTS)}`);
  // A refusal is accepted on every event that can be refused.
  return [(verdict === 'deny' && refuse(event.name, reason)) || because(verdict, reason)];
}

/** Returns only the difference from what the hook received, so that it cannot undo changes it did not see. */
function changesOf({ input, set }: Fields, event: Event): Effect[] {
  const before = event.payload as Fields;
  if (input !== undefined && !isPlain(input))
    throw new Nonsense(`"input" is ${shown(input)}; expected an object`);
  if (set !== undefined && !isPlain(set)) throw new Nonsense(`"set" is ${shown(set)}; expected an object`);
  if (input !== undefined && set !== undefined && Object.hasOwn(set, 'input'))
    throw new Nonsense('"input" appears twice, once inside "set"');
  const wanted = { ...set, ...(input !== undefined && { input }) };
  return Object.entries(wanted).flatMap(([field, value]) => {
    checkChange(field, event.name);
    return diff(field, Object.hasOwn(before, field) ? before[field] : undefined, value);
  });
}

function textsOf(kind: 'context' | 'notice', value: unknown): Effect[] {
  if (value === undefined) return [];
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.map((text) => {
    if (typeof text !== 'string') throw new Nonsense(`"${kind}" is ${shown(text)}; expected a string`);
    return { kind, text };
  });
}

/** `true` or the reason; `false` counts as missing. */
function turnOf(kind: FlowKind, answer: Fields): Effect[] {
  const value = answer[kind];
  if (value === undefined || value === false) return [];
  if (typeof value === 'string') return [because(kind, value)];
  if (value !== true) throw new Nonsense(`"${kind}" is ${shown(value)}; expected true or a reason`);
  return [
    because(kind, answer['decision'] === undefined ? optionalText('reason', answer['reason']) : undefined),
  ];
}

function giftsOf(value: unknown): Effect[] {
  const gifts: readonly unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value];
  return gifts.map((gift) => {
    const fields = answerOf(gift, ['what', 'value']);
    const { what } = fields;
    if (typeof what !== 'string' || !isGift(what))
      throw new Nonsense(`"give" offers ${shown(what)}. ${suggestion(String(what), Object.keys(GIFTS))}`);
    return { kind: 'give', what, value: fields['value'] };
  });
}

function listOf(key: string, value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Nonsense(`"${key}" is ${shown(value)}; expected a list`);
  return value;
}
function optionalText(key: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new Nonsense(`"${key}" is ${shown(value)}; expected a string`);
}
const because = <K extends Verdict | FlowKind>(kind: K, reason: string | undefined): EffectOf<K> =>
  (reason === undefined ? { kind } : { kind, reason }) as EffectOf<K>; // all these kinds have the same fields
