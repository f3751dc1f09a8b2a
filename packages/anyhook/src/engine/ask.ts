/**
 * Runs one hook and interprets its reply. Never throws: each kind of failure is a named value, and the hook's
 * policy decides what it means.
 */

import { copyPlain } from '../events/copy.ts';
import type { Dialect } from '../events/dialect.ts';
import { EFFECT_KINDS, type Effect, type Fields, tightens } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import { type EventName, rowOf } from '../events/events.ts';
import type { HookFailure, BrokenReply, Reply, Request } from '../events/exchange.ts';
import { isFields } from '../events/fields.ts';
import { type Hook, type OnFailure, shortLabel } from '../events/hook.ts';
import { misfitOf } from '../events/misfit.ts';
import type { Answer, Ending } from '../events/outcome.ts';
import { onlyWatches, refusalOn } from '../events/roles.ts';
import { thrownText } from '../events/thrown.ts';
import { traceHeadersFor } from '../events/trace.ts';
import type { Parts } from './parts.ts';
import type { HookAnswer } from './tally.ts';

export interface FireLimits {
  readonly signal: AbortSignal;
  /** Deadline of the whole fire, on the monotonic clock. */
  readonly until: number;
  /** Set for a background hook: the key under which its end is recorded. */
  readonly late?: string;
}

/** Returns a promise only if the runner returns one. A synchronous function is answered synchronously. */
export function askHook(
  hook: Hook,
  dialect: Dialect,
  event: Event,
  parts: Parts,
  terms: FireLimits,
): HookAnswer | Promise<HookAnswer> {
  const started = performance.now();
  parts.onStart?.(hook, event);
  const read = (reply: Reply): HookAnswer => {
    const answer = interpretReply(reply, hook, dialect, event);
    const ms = performance.now() - started;
    parts.onEnd?.(hook, event, { ms, answer });
    const asked = weighFailure(hook, dialect, event, answer, ms);
    return terms.late !== undefined && reply.kind === 'exited' ? { ...asked, code: reply.code } : asked;
  };
  // The dialect's writer or the runner failed, so the hook's answer is unknown.
  const fail = (error: unknown) => read(brokenReply({ kind: 'unreadable', detail: thrownText(error) }));
  let reply: Reply | Promise<Reply>;
  try {
    reply = startHook(hook, dialect, event, parts, terms, started);
  } catch (error) {
    return fail(error);
  }
  return reply instanceof Promise ? reply.then(read, fail) : read(reply);
}

function startHook(
  hook: Hook,
  dialect: Dialect,
  event: Event,
  parts: Parts,
  { signal, until, late }: FireLimits,
  started: number,
): Reply | Promise<Reply> {
  if (signal.aborted) return brokenReply({ kind: 'aborted' });
  const timeoutMs = Math.ceil(Math.min(hook.timeoutMs, until - started)); // an integer, because failure messages show it
  if (timeoutMs <= 0) return brokenReply({ kind: 'no-time', detail: 'the time for this event was used up' });
  if (hook.run.kind === 'missing') return brokenReply(hook.run.why);
  const request = traced(dialect.payload.write(event, hook), hook, event);
  const limit = { timeoutMs, signal };
  return late === undefined
    ? parts.run(hook, request, limit)
    : parts.run(hook, request, limit, { key: late, event });
}

/** Adds trace headers or variables, so that spans of the hook belong to the agent's trace. */
function traced(request: Request, { id }: Hook, { trace, round }: Event): Request {
  if (trace === undefined || request.kind === 'call') return request;
  const { traceparent, tracestate } = traceHeadersFor(trace, id, round);
  if (request.kind === 'send')
    return {
      ...request,
      headers: { ...request.headers, traceparent, ...(tracestate !== undefined && { tracestate }) },
    };
  const variables = { TRACEPARENT: traceparent, ...(tracestate !== undefined && { TRACESTATE: tracestate }) };
  return { ...request, env: { ...request.env, ...variables } };
}

/**
 * Turns a reply into effects. The effects are copied so that the hook cannot change them later. If the
 * dialect's reader throws, the answer is unreadable.
 */
export function interpretReply(reply: Reply, hook: Hook, dialect: Dialect, event: Event): Answer {
  try {
    if (reply.kind === 'broken') return withEnding(afterBreaking(reply, hook, dialect, event), reply);
    const answer = dialect.output.read(reply, event, hook);
    // Under an event name of our own, the dialect has validated the effects.
    const isOurs = hook.on === event.name && answer.failed !== undefined;
    if (answer.effects.length === 0)
      return withEnding((isOurs ? undefined : misplaced(reply, hook)) ?? answer, reply);
    return withEnding(fitting({ ...answer, effects: answer.effects.map(copyPlain) }, event), reply);
  } catch (error) {
    return broken({ kind: 'unreadable', detail: thrownText(error) });
  }
}

/**
 * Finds effects of anyhook in the reply of a hook written for another agent, such as `PreToolUse: () =>
 * deny('no')`. Its dialect ignores them, and an empty answer would be consent. So the refusals count and the
 * answer is unreadable.
 */
function misplaced(reply: Reply, { dialect, on }: Hook): Answer | undefined {
  if (reply.kind !== 'returned' || reply.value === null || typeof reply.value !== 'object') return undefined;
  const effects = [reply.value].flat().filter(isEffect);
  if (effects.length === 0) return undefined;
  const detail = `it returned an effect of anyhook (${effects[0]!.kind}), and ${on} is an event of ${dialect}: return that agent's own answer, or use anyhook's event name`;
  return { effects: effects.filter(tightens).map(copyPlain), failed: { kind: 'unreadable', detail } };
}
const isEffect = (value: unknown): value is Effect =>
  isFields(value) && EFFECT_KINDS.some((kind) => kind === value['kind']);

/**
 * Adds exit code, signal and stderr to a failure, so that the user can debug the hook. Not every dialect
 * keeps the exit code.
 */
function withEnding(answer: Answer, reply: Reply): Answer {
  if (answer.failed === undefined || (reply.kind !== 'exited' && reply.kind !== 'broken')) return answer;
  const { stderr = '' } = reply;
  const ending: Ending = {
    ...(reply.kind === 'exited' && { code: reply.code }),
    ...(answer.failed.kind === 'killed' && answer.failed.detail && { signal: answer.failed.detail }),
    ...(stderr.trim() !== '' && { stderr }),
  };
  return Object.keys(ending).length === 0 ? answer : { ...answer, ending };
}

/**
 * A value that does not fit the event's row makes the answer unreadable. Only the refusals in such an answer
 * count.
 */
function fitting(answer: Answer, event: Event): Answer {
  const misfits = answer.effects.flatMap((effect) => misfitOf(effect, event) ?? []);
  if (misfits.length === 0) return answer;
  return {
    ...answer,
    effects: answer.effects.filter(tightens),
    failed: answer.failed ?? { kind: 'unreadable', detail: misfits.join('; ') },
  };
}

/** Only refusals count in the output of a hook that broke. */
function afterBreaking(reply: BrokenReply, hook: Hook, dialect: Dialect, event: Event): Answer {
  const { why, notes, stdout, stderr } = reply;
  const refusals = stdout ? dialect.output.read(reply, event, hook).effects.filter(tightens) : [];
  const printed = [stdout, stderr].filter(Boolean).join('\n');
  return {
    effects: refusals.map(copyPlain),
    failed: why,
    ...(notes && { notes }),
    ...(printed && { printed }),
  };
}

/** Decides what a failure means: the hook's own policy, or the rule of its dialect. */
export function weighFailure(
  hook: Hook,
  dialect: Dialect,
  event: Event,
  answer: Answer,
  ms: number,
): HookAnswer {
  const hookAnswer = {
    hook,
    knownAs: event.name,
    shown: event.payload as Fields,
    answer,
    ms,
    failedOpen: false,
  };
  if (answer.failed === undefined) return hookAnswer;
  const policy =
    answer.failed.kind === 'too-deep'
      ? 'block' // any process can set the variable that reports the depth, so no policy turns this into consent
      : (hook.onFailure ?? dialect.failure(hook.on, answer.failed.kind, hook));
  const kind = onlyWatches(hook.roles) ? null : refusalBy(policy, event.name);
  const reason = `${shortLabel(hook)} failed (${textFor(answer.failed)})`;
  const withheld = onlyWatches(hook.roles) || policy === 'allow' ? [] : withholding(event.name, reason);
  // Marks the answer as failed open if nothing refuses or withholds the action.
  if (kind === null && withheld.length === 0)
    return { ...hookAnswer, failedOpen: !answer.effects.some(tightens) };
  const refusal: readonly Effect[] = kind === null ? [] : [{ kind, reason }];
  return { ...hookAnswer, answer: { ...answer, effects: [...answer.effects, ...withheld, ...refusal] } };
}

/** Withholds the result of a call that has run. The broken hook may have been there to redact the result. */
const withholding = (name: EventName, reason: string): readonly Effect[] =>
  Object.entries(rowOf(name).withheld?.(`The result was withheld: ${reason}`) ?? {}).map(([field, to]) => ({
    kind: 'set',
    at: [field],
    to,
  }));

/** Answers for a hook whose matcher could not tell whether it applies, by the hook's policy. */
export function answerUnjudged(hook: Hook, policy: OnFailure, event: Event, why: string): HookAnswer {
  const kind = onlyWatches(hook.roles) ? null : refusalBy(policy, event.name);
  const reason = `${shortLabel(hook)}: could not be judged: ${why}`;
  const effects: readonly Effect[] = kind === null ? [] : [{ kind, reason }];
  return {
    hook,
    knownAs: event.name,
    shown: event.payload as Fields,
    answer: { effects },
    ms: 0,
    failedOpen: false,
  };
}

/** Returns a refusal if the event does not support questions. */
export function refusalBy(policy: OnFailure, name: EventName): 'ask' | ReturnType<typeof refusalOn> {
  if (policy === 'allow') return null;
  return policy === 'ask' && rowOf(name).effects.includes('ask') ? 'ask' : refusalOn(name);
}

const textFor = ({ kind, detail }: HookFailure) => (detail === undefined ? kind : `${kind}: ${detail}`);
const broken = (failed: HookFailure): Answer => ({ effects: [], failed });
const brokenReply = (why: HookFailure): BrokenReply => ({ kind: 'broken', why });
