/** Asks one hook. Never throws: what goes wrong has a name, and policy says what it means. */
import { copyPlain } from '../canon/copy.ts';
import type { Dialect } from '../canon/dialect.ts';
import { type Effect, type Fields, tightens } from '../canon/effects.ts';
import type { Event } from '../canon/event.ts';
import { type EventName, rowOf } from '../canon/events.ts';
import type { HookFailure, BrokenReply, Reply } from '../canon/exchange.ts';
import type { Hook, OnFailure } from '../canon/hook.ts';
import { misfitOf } from '../canon/misfit.ts';
import type { Answer, Ending } from '../canon/outcome.ts';
import { onlyWatches, refusalOn } from '../canon/roles.ts';
import { thrownText } from '../canon/thrown.ts';
import type { HookAnswer } from './tally.ts';
import type { Parts } from './parts.ts';

export interface FireLimits {
  readonly signal: AbortSignal;
  /** When the time of the whole fire is up, on the monotonic clock. */
  readonly until: number;
}

export async function askHook(
  hook: Hook,
  dialect: Dialect,
  event: Event,
  parts: Parts,
  terms: FireLimits,
): Promise<HookAnswer> {
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
  { signal, until }: FireLimits,
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
    return interpretReply(reply, hook, dialect, event);
  } catch (error) {
    return broken({ kind: 'unreadable', detail: thrownText(error) });
  }
}

/** A reply in our words, and ours alone. A reader that throws has met an answer that makes no sense. */
export function interpretReply(reply: Reply, hook: Hook, dialect: Dialect, event: Event): Answer {
  try {
    if (reply.kind === 'broken') return withEnding(afterBreaking(reply, hook, dialect, event), reply);
    const answer = dialect.output.read(reply, event, hook);
    if (answer.effects.length === 0) return withEnding(answer, reply);
    return withEnding(fitting({ ...answer, effects: answer.effects.map(copyPlain) }, event), reply);
  } catch (error) {
    return broken({ kind: 'unreadable', detail: thrownText(error) });
  }
}

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
  if (kind === null) return { ...one, failedOpen: true }; // let pass, or nothing left to refuse: the mark is all there is
  const refusal: Effect = { kind, reason: `${nameOf(hook)} failed (${textFor(answer.failed)})` };
  return { ...one, answer: { ...answer, effects: [...answer.effects, refusal] } };
}

/** The matcher could not tell whether the hook is about this: its policy speaks in its place. */
export function answerUnjudged(hook: Hook, policy: OnFailure, event: Event, why: string): HookAnswer {
  const kind = onlyWatches(hook.roles) ? null : refusalBy(policy, event.name);
  const reason = `${nameOf(hook)}: could not be judged: ${why}`;
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

const nameOf = ({ id, origin }: Hook) => `hook ${id} (${origin.file}:${origin.line})`;
const textFor = ({ kind, detail }: HookFailure) => (detail === undefined ? kind : `${kind}: ${detail}`);
const broken = (failed: HookFailure): Answer => ({ effects: [], failed });
