/**
 * The synchronous path, for hooks that take the frozen event and answer by returning: no promise is made until one of them
 * returns one. As soon as a hook answers, the full fire goes on from there with its tally.
 */
import type { Event } from '../canon/event.ts';
import type { EventName } from '../canon/events.ts';
import type { Reply } from '../canon/exchange.ts';
import { type Answer, type Outcome, OutcomeWith, type Ruling, type Run } from '../canon/outcome.ts';
import { UNANSWERED } from '../canon/proceed.ts';
import { CallsInTurn, type Stop, type SynchronousFn } from './calls-in-turn.ts';
import { FrozenEvent } from './frozen.ts';
import { HostView } from './host-view.ts';
import type { Parts } from './parts.ts';
import { fireAfterPromise, type FireInWaiting } from './after-first-promise.ts';
import type { Group, EventPlan } from './plan.ts';
import { isThenable, returned, threw } from './replies.ts';

export interface SynchronousPath {
  readonly calls: CallsInTurn;
  readonly timeouts: readonly number[];
  /** The record of each when it has nothing to say: the same every time, so they are made once. */
  readonly silent: readonly Run[];
}
/** How far the synchronous path came: so many hooks had nothing to say, the next one answered this. */
export interface FireProgress {
  readonly silent: number;
  readonly reply: Reply;
}
export type ContinueFire = (
  event: Event,
  plan: EventPlan,
  signal: AbortSignal | undefined,
  progress: FireProgress,
) => Promise<Ruling>;

export const SILENT: Answer = Object.freeze({ effects: Object.freeze([]) });

/** The synchronous path of these groups; null when one of their hooks needs the full fire. */
export function synchronousPath(groups: readonly Group[], name: EventName): SynchronousPath | null {
  const [group, ...rest] = groups;
  if (group === undefined || rest.length > 0 || group.sharing.order !== 'in-turn') return null;
  if (group.as !== name || group.seen !== undefined) return null; // an event that stands in for another is shown as that other
  const fns: SynchronousFn[] = [];
  const selves: unknown[] = [];
  for (const { run, background, shadow, when } of group.hooks) {
    if (run.kind !== 'call' || run.direct !== true || background || shadow || when !== undefined) return null;
    fns.push(run.fn as SynchronousFn);
    selves.push(run.self);
  }
  return {
    calls: new CallsInTurn(fns, selves),
    timeouts: group.hooks.map(({ timeoutMs }) => timeoutMs),
    silent: Object.freeze(
      group.hooks.map(({ id }) => Object.freeze<Run>({ hook: id, round: 1, ms: 0, answer: SILENT })),
    ),
  };
}

export function fireSynchronously(
  event: Event,
  plan: EventPlan,
  way: SynchronousPath,
  parts: Parts,
  signal: AbortSignal | undefined,
  continueFire: ContinueFire,
): Ruling | Promise<Ruling> {
  const shown = new FrozenEvent(event) as Event;
  const host = new HostView(parts.services);
  const stop = way.calls.make(shown, host, signal);
  if (stop === undefined) return nothingSaid(event, way.silent, plan.unmatched);
  return goOnAfter(stop, inWaiting(event, plan, way, signal, continueFire, shown, host));
}

/** Apart: a closure in there would make every fire keep its variables where the closure can find them. */
const inWaiting = (
  event: Event,
  plan: EventPlan,
  way: SynchronousPath,
  signal: AbortSignal | undefined,
  continueFire: ContinueFire,
  shown: Event,
  host: HostView,
): FireInWaiting => ({
  way,
  signal,
  shown,
  host,
  quiet: () => nothingSaid(event, way.silent, plan.unmatched),
  goOn: (progress) => continueFire(event, plan, signal, progress),
});

function goOnAfter(stop: Stop, fire: FireInWaiting): Promise<Ruling> {
  const { signal, host, goOn } = fire;
  const { at } = stop;
  if (stop.kind === 'threw') return goOn({ silent: at, reply: threw(stop.error) });
  const { value } = stop;
  try {
    if (signal?.aborted === true) return goOn(abortedAt(at, value, host));
    if (!isThenable(value)) return goOn({ silent: at, reply: returned(value) });
  } catch (error) {
    return goOn({ silent: at, reply: threw(error) });
  }
  return fireAfterPromise(fire, at, value);
}

/** Aborted while a hook ran: what it has answered counts, what it only promised does not, and nobody starts any more. */
function abortedAt(i: number, value: unknown, host: HostView): FireProgress {
  HostView.end(host, 'aborted');
  const pending = isThenable(value);
  if (pending) Promise.resolve(value).catch(() => {});
  if (value !== undefined && !pending) return { silent: i, reply: returned(value) };
  return { silent: pending ? i : i + 1, reply: { kind: 'broken', why: { kind: 'aborted' } } };
}

/** An outcome at once, for there is nothing to decide. */
export const nothingSaid = (
  { name, payload }: Pick<Event, 'name' | 'payload'>,
  runs?: readonly Run[],
  unmatched?: readonly string[],
): Outcome => new OutcomeWith(payload, UNANSWERED[name], runs, unmatched);

/** Made by `nothingSaid`, and as it was made: there is nothing to lower. */
export const isNothingSaid = (ruling: Ruling): ruling is Outcome => ruling instanceof OutcomeWith;
