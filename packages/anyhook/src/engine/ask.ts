/** Asks one hook. Never throws: what goes wrong has a name, and policy says what it means. */
import type { Dialect } from '../canon/dialect.ts';
import type { Effect, Fields } from '../canon/effects.ts';
import type { Event } from '../canon/event.ts';
import { type EventName, rowOf } from '../canon/events.ts';
import type { Breakage, Reply } from '../canon/exchange.ts';
import type { Hook, OnFailure } from '../canon/hook.ts';
import type { Answer } from '../canon/outcome.ts';
import { onlyWatches, refusalOn } from '../canon/roles.ts';
import { plainCopy } from './frozen.ts';
import type { Asked } from './ledger.ts';
import type { Parts } from './parts.ts';

export interface Terms {
  readonly signal: AbortSignal;
  /** When the time of the whole fire is up, on the monotonic clock. */
  readonly until: number;
}

export async function ask(
  hook: Hook,
  dialect: Dialect,
  event: Event,
  parts: Parts,
  terms: Terms,
): Promise<Asked> {
  const started = performance.now();
  parts.onStart?.(hook, event);
  const answer = await answerOf(hook, dialect, event, parts, terms, started);
  const ms = performance.now() - started;
  parts.onEnd?.(hook, event, { ms, answer });
  return weighFailure(hook, dialect, event, answer, ms);
}

async function answerOf(
  hook: Hook,
  dialect: Dialect,
  event: Event,
  parts: Parts,
  { signal, until }: Terms,
  started: number,
): Promise<Answer> {
  try {
    if (signal.aborted) return broken({ kind: 'aborted' });
    const timeoutMs = Math.min(hook.timeoutMs, until - started);
    if (timeoutMs <= 0) return broken({ kind: 'no-time', detail: 'the time for this event was used up' });
    const reply: Reply =
      hook.run.kind === 'missing'
        ? { kind: 'broken', why: hook.run.why }
        : await parts.run(hook, dialect.payload.write(event, hook), { timeoutMs, signal });
    return readReply(reply, hook, dialect, event);
  } catch (error) {
    return broken({ kind: 'unreadable', detail: textOf(error) });
  }
}

/** A reply in our words, and ours alone. A reader that throws has met an answer that makes no sense. */
export function readReply(reply: Reply, hook: Hook, dialect: Dialect, event: Event): Answer {
  try {
    if (reply.kind !== 'broken') {
      const answer = dialect.output.read(reply, event, hook);
      return answer.effects.length === 0 ? answer : { ...answer, effects: answer.effects.map(plainCopy) };
    }
    const printed = [reply.stdout, reply.stderr].filter(Boolean).join('\n');
    return { ...broken(reply.why), ...(reply.notes && { notes: reply.notes }), ...(printed && { printed }) };
  } catch (error) {
    return broken({ kind: 'unreadable', detail: textOf(error) });
  }
}

/** What a failure means: the hook's own word, else its dialect's rule. */
export function weighFailure(hook: Hook, dialect: Dialect, event: Event, answer: Answer, ms: number): Asked {
  const one = { hook, as: event.name, shown: event.payload as Fields, answer, ms, failedOpen: false };
  if (answer.failed === undefined) return one;
  const policy =
    answer.failed.kind === 'too-deep'
      ? 'block' // it is told by a variable that anybody can set: no rule makes that consent
      : (hook.onFailure ?? dialect.failure(hook.on, answer.failed.kind, hook));
  const kind = onlyWatches(hook.roles) ? null : refusalBy(policy, event.name);
  if (kind === null) return { ...one, failedOpen: true }; // let pass, or nothing left to refuse: the mark is all there is
  const refusal: Effect = { kind, reason: `${nameOf(hook)} failed (${textFor(answer.failed)})` };
  return { ...one, answer: { ...answer, effects: [...answer.effects, refusal] } };
}

/** A question nobody can be asked there is a refusal. */
function refusalBy(policy: OnFailure, name: EventName): 'ask' | ReturnType<typeof refusalOn> {
  if (policy === 'allow') return null;
  return policy === 'ask' && rowOf(name).effects.includes('ask') ? 'ask' : refusalOn(name);
}

const nameOf = ({ id, origin }: Hook) => `hook ${id} (${origin.file}:${origin.line})`;
const textFor = ({ kind, detail }: Breakage) => (detail === undefined ? kind : `${kind}: ${detail}`);
const broken = (failed: Breakage): Answer => ({ effects: [], failed });
const textOf = (error: unknown): string => {
  try {
    return error instanceof Error ? String(error.message) : String(error);
  } catch {
    return 'something that cannot be shown was thrown';
  }
};
