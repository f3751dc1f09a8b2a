/**
 * The short way for hooks that take the frozen event and answer by return: synchronous until the first thenable, one
 * watched slot per pending fire, a record each. As soon as somebody says something, the ledger takes over where we are.
 */
import type { Event } from '../canon/event.ts';
import type { EventName } from '../canon/events.ts';
import type { Reply } from '../canon/exchange.ts';
import type { Hook } from '../canon/hook.ts';
import type { Answer, Outcome, Run } from '../canon/outcome.ts';
import type { Fields } from '../canon/effects.ts';
import { FrozenEvent } from './frozen.ts';
import { HostView } from './host-view.ts';
import type { Parts } from './parts.ts';
import type { Group } from './plan.ts';
import { moved, unwatch, watch, type Watched } from './watch.ts';

export interface DirectHook {
  readonly hook: Hook;
  readonly fn: (event: Event, host: HostView) => unknown;
  /** Its record when it has nothing to say: the same every time, so it is made once. */
  readonly silent: Run;
}
/** Where the ledger takes over: so many hooks had nothing to say, the next one answered this. */
export interface Head {
  readonly silent: number;
  readonly reply: Reply;
}
export type TakeOver = (head: Head) => Promise<Outcome>;

export const SILENT: Answer = Object.freeze({ effects: Object.freeze([]) });

/** The hooks of a plan that can go the short way; undefined when one of them cannot. */
export function directHooks(groups: readonly Group[], name: EventName): readonly DirectHook[] | undefined {
  const [group, ...rest] = groups;
  if (group === undefined || rest.length > 0 || group.manner.order !== 'in-turn') return undefined;
  if (group.as !== name) return undefined; // a moment that stands in for another is shown as that other
  const hooks: DirectHook[] = [];
  for (const hook of group.hooks) {
    if (hook.run.kind !== 'call' || hook.run.direct !== true) return undefined;
    if (hook.background || hook.shadow || hook.when !== undefined) return undefined;
    const silent = Object.freeze<Run>({ hook: hook.id, round: 1, ms: 0, answer: SILENT });
    hooks.push({ hook, fn: hook.run.fn as DirectHook['fn'], silent });
  }
  return hooks;
}

export function fireDirect(
  event: Event,
  hooks: readonly DirectHook[],
  unmatched: readonly string[],
  parts: Parts,
  signal: AbortSignal | undefined,
  takeOver: TakeOver,
): Outcome | Promise<Outcome> {
  const shown = new FrozenEvent(event) as Event;
  const host = new HostView(parts.services);
  for (let i = 0; i < hooks.length; i++) {
    let value: unknown;
    try {
      value = hooks[i]!.fn(shown, host);
      if (signal?.aborted === true) return takeOver(abortedAt(i, value, host));
      if (value === undefined) continue;
      if (!isThenable(value)) return takeOver({ silent: i, reply: returned(value) });
    } catch (error) {
      return takeOver({ silent: i, reply: threw(error) });
    }
    return pendingFire({ event, hooks, unmatched, signal, takeOver, shown, host }, i, value);
  }
  return quiet(event.payload as Fields, hooks, unmatched);
}

/** Aborted while a hook ran: what it has answered counts, what it only promised does not, and nobody starts any more. */
function abortedAt(i: number, value: unknown, host: HostView): Head {
  HostView.end(host, 'aborted');
  const pending = isThenable(value);
  if (pending) Promise.resolve(value).catch(() => {});
  if (value !== undefined && !pending) return { silent: i, reply: returned(value) };
  return { silent: pending ? i : i + 1, reply: { kind: 'broken', why: { kind: 'aborted' } } };
}

interface Pending {
  readonly event: Event;
  readonly hooks: readonly DirectHook[];
  readonly unmatched: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly takeOver: TakeOver;
  readonly shown: Event;
  readonly host: HostView;
}

/** From the first thenable on. A hook that hangs is left behind at its deadline; what it says later is dropped. */
function pendingFire(
  { event, hooks, unmatched, signal, takeOver, shown, host }: Pending,
  first: number,
  value: PromiseLike<unknown>,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let at = first;
    let over = false;
    const finish = (head: Head | null): void => {
      if (over) return;
      over = true;
      unwatch(slot);
      signal?.removeEventListener('abort', abort);
      resolve(head === null ? quiet(event.payload as Fields, hooks, unmatched) : takeOver(head));
    };
    const broke = (kind: 'timed-out' | 'aborted') => {
      if (!over) HostView.end(host, kind);
      finish({ silent: at, reply: { kind: 'broken', why: { kind } } });
    };
    const slot: Watched = {
      deadline: performance.now() + hooks[at]!.hook.timeoutMs,
      expire: () => broke('timed-out'),
    };
    const abort = (): void => broke('aborted');
    signal?.addEventListener('abort', abort, { once: true });
    watch(slot);
    void (async () => {
      let waiting: unknown = value;
      for (;;) {
        let said: unknown;
        try {
          said = isThenable(waiting) ? await waiting : waiting;
        } catch (error) {
          return finish({ silent: at, reply: threw(error) });
        }
        if (over) return;
        if (said !== undefined) return finish({ silent: at, reply: returned(said) });
        if (++at >= hooks.length) return finish(null);
        slot.deadline = performance.now() + hooks[at]!.hook.timeoutMs;
        moved(slot);
        try {
          waiting = hooks[at]!.fn(shown, host);
        } catch (error) {
          return finish({ silent: at, reply: threw(error) });
        }
      }
    })();
  });
}

const records = new WeakMap<readonly DirectHook[], readonly Run[]>();
function quiet(payload: Fields, hooks: readonly DirectHook[], unmatched: readonly string[]): Outcome {
  let runs = records.get(hooks);
  if (runs === undefined) records.set(hooks, (runs = Object.freeze(hooks.map(({ silent }) => silent))));
  return nothingSaid(payload, runs, unmatched);
}

const NONE: readonly never[] = Object.freeze([]);
const NO_FLOW = Object.freeze({});
/** Nobody refused, nobody approved, nobody changed anything. */
export const nothingSaid = (
  payload: Fields,
  runs: readonly Run[] = NONE,
  unmatched: readonly string[] = NONE,
): Outcome => ({
  verdict: 'none',
  reasons: NONE,
  payload,
  changed: NONE,
  voided: NONE,
  said: NONE,
  given: NONE,
  flow: NO_FLOW,
  lost: NONE,
  runs,
  unmatched,
  aborted: false,
});

/** Made by `nothingSaid`: there is nothing to lower, and a look at three fields tells. */
export const isQuiet = ({ verdict, said, flow, changed, given }: Outcome): boolean =>
  verdict === 'none' && flow === NO_FLOW && said === NONE && changed === NONE && given === NONE;

const returned = (value: unknown): Reply => ({ kind: 'returned', value, args: NONE });
function threw(error: unknown): Reply {
  try {
    if (error instanceof Error)
      return {
        kind: 'threw',
        message: String(error.message),
        args: NONE,
        ...(error.stack && { stack: error.stack }),
      };
    return { kind: 'threw', message: String(error), args: NONE };
  } catch {
    return { kind: 'threw', message: 'something that cannot be shown was thrown', args: NONE };
  }
}
/** Throws what a hostile `then` throws: that is the hook's throw, as it would be with `await`. */
const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
