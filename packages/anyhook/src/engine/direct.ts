/**
 * The short way for hooks that take the frozen event and answer by return: synchronous until the first thenable, a
 * record each. As soon as somebody says something, the ledger takes over where we are.
 */
import type { Event } from '../canon/event.ts';
import type { EventName } from '../canon/events.ts';
import type { Reply } from '../canon/exchange.ts';
import { type Answer, type Outcome, OutcomeWith, type Ruling, type Run } from '../canon/outcome.ts';
import { UNANSWERED } from '../canon/proceed.ts';
import { FrozenEvent } from './frozen.ts';
import { HostView } from './host-view.ts';
import type { Parts } from './parts.ts';
import { pendingFire } from './pending.ts';
import type { Group, Plan } from './plan.ts';
import { isThenable, returned, threw } from './replies.ts';

export type DirectFn = (event: Event, host: HostView) => unknown;
export interface ShortWay {
  readonly fns: readonly DirectFn[];
  readonly timeouts: readonly number[];
  /** The record of each when it has nothing to say: the same every time, so they are made once. */
  readonly silent: readonly Run[];
}
/** Where the ledger takes over: so many hooks had nothing to say, the next one answered this. */
export interface Head {
  readonly silent: number;
  readonly reply: Reply;
}
export type TakeOver = (
  event: Event,
  plan: Plan,
  signal: AbortSignal | undefined,
  head: Head,
) => Promise<Ruling>;

export const SILENT: Answer = Object.freeze({ effects: Object.freeze([]) });

/** The short way for these groups; null when one of their hooks cannot go it. */
export function shortWay(groups: readonly Group[], name: EventName): ShortWay | null {
  const [group, ...rest] = groups;
  if (group === undefined || rest.length > 0 || group.manner.order !== 'in-turn') return null;
  if (group.as !== name || group.seen !== undefined) return null; // a moment that stands in for another is shown as that other
  const fns: DirectFn[] = [];
  for (const { run, background, shadow, when } of group.hooks) {
    if (run.kind !== 'call' || run.direct !== true || background || shadow || when !== undefined) return null;
    fns.push(run.fn as DirectFn);
  }
  return {
    fns,
    timeouts: group.hooks.map(({ timeoutMs }) => timeoutMs),
    silent: Object.freeze(
      group.hooks.map(({ id }) => Object.freeze<Run>({ hook: id, round: 1, ms: 0, answer: SILENT })),
    ),
  };
}

export function fireDirect(
  event: Event,
  plan: Plan,
  way: ShortWay,
  parts: Parts,
  signal: AbortSignal | undefined,
  takeOver: TakeOver,
): Ruling | Promise<Ruling> {
  const { fns } = way;
  const shown = new FrozenEvent(event) as Event;
  const host = new HostView(parts.services);
  for (let i = 0; i < fns.length; i++) {
    let value: unknown;
    try {
      value = fns[i]!(shown, host);
      if (signal?.aborted === true) return takeOver(event, plan, signal, abortedAt(i, value, host));
      if (value === undefined) continue;
      if (!isThenable(value)) return takeOver(event, plan, signal, { silent: i, reply: returned(value) });
    } catch (error) {
      return takeOver(event, plan, signal, { silent: i, reply: threw(error) });
    }
    const quiet = () => nothingSaid(event, way.silent, plan.unmatched);
    const goOn = (head: Head) => takeOver(event, plan, signal, head);
    return pendingFire({ way, signal, goOn, shown, host, quiet }, i, value);
  }
  return nothingSaid(event, way.silent, plan.unmatched);
}

/** Aborted while a hook ran: what it has answered counts, what it only promised does not, and nobody starts any more. */
function abortedAt(i: number, value: unknown, host: HostView): Head {
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
export const isNothingSaid = (ruling: Ruling): boolean => ruling instanceof OutcomeWith;
