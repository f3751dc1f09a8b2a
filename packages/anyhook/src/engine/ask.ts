/** Asks one hook. Never throws: what goes wrong has a name, and policy says what it means. */
import { copyPlain } from '../events/copy.ts';
import type { Dialect } from '../events/dialect.ts';
import { EFFECT_KINDS, type Effect, type Fields, tightens } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import { type EventName, rowOf } from '../events/events.ts';
import { isFields } from '../events/fields.ts';
import type { HookFailure, BrokenReply, Reply, Request } from '../events/exchange.ts';
import { type Hook, type OnFailure, shortLabel } from '../events/hook.ts';
import { misfitOf } from '../events/misfit.ts';
import type { Answer, Ending } from '../events/outcome.ts';
import { onlyWatches, refusalOn } from '../events/roles.ts';
import { thrownText } from '../events/thrown.ts';
import { traceHeadersFor } from '../events/trace.ts';
import type { HookAnswer } from './tally.ts';
import type { Parts } from './parts.ts';

export interface FireLimits {
  readonly signal: AbortSignal;
  /** When the time of the whole fire is up, on the monotonic clock. */
  readonly until: number;
  /** Nobody waits for it: the word by which its end is known. */
  readonly late?: string;
}

/** A promise only where the runner gives one: a function that answers by returning is answered at once. */
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
  // The dialect's writer or the runner failed: what the hook wanted is not known.
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
  const timeoutMs = Math.ceil(Math.min(hook.timeoutMs, until - started)); // whole: people read it in failures
  if (timeoutMs <= 0) return brokenReply({ kind: 'no-time', detail: 'the time for this event was used up' });
  if (hook.run.kind === 'missing') return brokenReply(hook.run.why);
  const request = traced(dialect.payload.write(event, hook), hook, event);
  const limit = { timeoutMs, signal };
  return late === undefined
    ? parts.run(hook, request, limit)
    : parts.run(hook, request, limit, { key: late, event });
}

/** What the hook does is part of the agent's trace: it is told under which span. */
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

/** A reply as effects, copied so that the hook cannot change them later. If the dialect's reader throws, the answer is unreadable. */
export function interpretReply(reply: Reply, hook: Hook, dialect: Dialect, event: Event): Answer {
  try {
    if (reply.kind === 'broken') return withEnding(afterBreaking(reply, hook, dialect, event), reply);
    const answer = dialect.output.read(reply, event, hook);
    // Under an event name of our own, the dialect has read the effects and said what is wrong with them.
    const isOurs = hook.on === event.name && answer.failed !== undefined;
    if (answer.effects.length === 0)
      return withEnding((isOurs ? undefined : misplaced(reply, hook)) ?? answer, reply);
    return withEnding(fitting({ ...answer, effects: answer.effects.map(copyPlain) }, event), reply);
  } catch (error) {
    return broken({ kind: 'unreadable', detail: thrownText(error) });
  }
}

/**
 * An effect of ours that a hook of another agent returned: `PreToolUse: () => deny('no')`. Its dialect reads nothing in it,
 * and silence would be consent, so the refusals count and the rest is unreadable.
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

/** What a person needs who has to mend it: dialects read an exit code by their own rules, and not all keep it. */
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

/** A value that does not fit the event's row makes the answer unreadable: of such a one only refusals are heard. */
function fitting(answer: Answer, event: Event): Answer {
  const misfits = answer.effects.flatMap((effect) => misfitOf(effect, event) ?? []);
  if (misfits.length === 0) return answer;
  return {
    ...answer,
    effects: answer.effects.filter(tightens),
    failed: answer.failed ?? { kind: 'unreadable', detail: misfits.join('; ') },
  };
}

/** Of what a hook printed before it broke only refusals count. */
function afterBreaking(reply: BrokenReply, hook: Hook, dialect: Dialect, event: Event): Answer {
  const { why, notes, stdout, stderr } = reply;
  const said = stdout ? dialect.output.read(reply, event, hook).effects.filter(tightens) : [];
  const printed = [stdout, stderr].filter(Boolean).join('\n');
  return {
    effects: said.map(copyPlain),
    failed: why,
    ...(notes && { notes }),
    ...(printed && { printed }),
  };
}

/** What a failure means: the hook's own word, else its dialect's rule. */
export function weighFailure(
  hook: Hook,
  dialect: Dialect,
  event: Event,
  answer: Answer,
  ms: number,
): HookAnswer {
  const one = { hook, as: event.name, shown: event.payload as Fields, answer, ms, failedOpen: false };
  if (answer.failed === undefined) return one;
  const policy =
    answer.failed.kind === 'too-deep'
      ? 'block' // it is told by a variable that anybody can set: no rule makes that consent
      : (hook.onFailure ?? dialect.failure(hook.on, answer.failed.kind, hook));
  const kind = onlyWatches(hook.roles) ? null : refusalBy(policy, event.name);
  const reason = `${shortLabel(hook)} failed (${textFor(answer.failed)})`;
  const withheld = onlyWatches(hook.roles) || policy === 'allow' ? [] : withholding(event.name, reason);
  // Let pass, or nothing left to refuse: the mark is all there is, unless what it had said holds the action back.
  if (kind === null && withheld.length === 0) return { ...one, failedOpen: !answer.effects.some(tightens) };
  const refusal: readonly Effect[] = kind === null ? [] : [{ kind, reason }];
  return { ...one, answer: { ...answer, effects: [...answer.effects, ...withheld, ...refusal] } };
}

/** The call has run. A hook that broke may have been there to redact its result, so the model does not read it. */
const withholding = (name: EventName, reason: string): readonly Effect[] =>
  Object.entries(rowOf(name).withheld?.(`The result was withheld: ${reason}`) ?? {}).map(([field, to]) => ({
    kind: 'set',
    at: [field],
    to,
  }));

/** The matcher could not tell whether the hook is about this: its policy speaks in its place. */
export function answerUnjudged(hook: Hook, policy: OnFailure, event: Event, why: string): HookAnswer {
  const kind = onlyWatches(hook.roles) ? null : refusalBy(policy, event.name);
  const reason = `${shortLabel(hook)}: could not be judged: ${why}`;
  const effects: readonly Effect[] = kind === null ? [] : [{ kind, reason }];
  return {
    hook,
    as: event.name,
    shown: event.payload as Fields,
    answer: { effects },
    ms: 0,
    failedOpen: false,
  };
}

/** A question nobody can be asked there is a refusal. */
export function refusalBy(policy: OnFailure, name: EventName): 'ask' | ReturnType<typeof refusalOn> {
  if (policy === 'allow') return null;
  return policy === 'ask' && rowOf(name).effects.includes('ask') ? 'ask' : refusalOn(name);
}

const textFor = ({ kind, detail }: HookFailure) => (detail === undefined ? kind : `${kind}: ${detail}`);
const broken = (failed: HookFailure): Answer => ({ effects: [], failed });
const brokenReply = (why: HookFailure): BrokenReply => ({ kind: 'broken', why });
