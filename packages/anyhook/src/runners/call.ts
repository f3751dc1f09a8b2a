/** Runs hooks that are functions in this process: callbacks, and hooks of modules loaded here. */

import { copyPlain } from '../events/copy.ts';
import type { FailureKind, CallRequest, Limit, Reply } from '../events/exchange.ts';
import type { WayOf } from '../events/hook.ts';
import type { EndedBy } from './deadline.ts';
import { describeThrown } from './module/thrown.mjs';
import { PausedWait } from './paused-wait.ts';

/** A running call: `this` of the function, and the second argument of a direct one. */
export class RunningCall {
  #own: AbortController | undefined;
  #ended: EndedBy | undefined;
  #clock: PausedWait | undefined;
  /** Pauses that started before the function returned its promise. */
  #held: Set<{ goOn: () => void }> | undefined;

  /** Created on first use, because most hooks never read it. */
  get signal(): AbortSignal {
    this.#own ??= new AbortController();
    if (this.#ended !== undefined) this.#own.abort(reasonOf(this.#ended));
    return this.#own.signal;
  }
  get ended(): boolean {
    return this.#ended !== undefined;
  }
  /** Stops the clock while the user is asked. Returns a function that continues it. */
  pause(): () => void {
    const hold = { goOn: this.#clock?.pause() ?? (() => {}) };
    (this.#held ??= new Set()).add(hold);
    return () => {
      this.#held?.delete(hold);
      hold.goOn();
    };
  }
  time(clock: PausedWait): void {
    this.#clock = clock;
    for (const hold of this.#held ?? []) hold.goOn = clock.pause();
  }
  end(why: EndedBy): void {
    this.#ended = why;
    this.#own?.abort(reasonOf(why));
  }
}

/**
 * Replies synchronously if the function does. A promise has a deadline, and a later result is dropped. A
 * function that never returns cannot be stopped here; isolated modules exist for that.
 */
export function runCall(
  way: WayOf<'call'>,
  request: CallRequest,
  limit: Limit,
  /** Builds the arguments of a direct function from the event that its dialect wrote. */
  directArgs?: (event: unknown, call: RunningCall) => readonly unknown[],
): Reply | Promise<Reply> {
  if (limit.signal.aborted) return broken('aborted');
  const call = new RunningCall();
  try {
    // Its dialect wrote the arguments.
    const fn = way.fn as (this: RunningCall, ...args: readonly unknown[]) => unknown;
    const value =
      way.direct !== true
        ? Reflect.apply(fn, call, request.args)
        : directArgs === undefined
          ? fn.call(call, request.args[0], call)
          : Reflect.apply(fn, way.self, directArgs(request.args[0], call));
    return isThenable(value) ? settle(value, way, request, limit, call) : returned(value, way, request);
  } catch (error) {
    return threw(error, way, request);
  }
}

function settle(
  value: PromiseLike<unknown>,
  way: WayOf<'call'>,
  request: CallRequest,
  limit: Limit,
  call: RunningCall,
): Promise<Reply> {
  return new Promise((answer) => {
    const waiting = new PausedWait(limit, (why) => {
      call.end(why);
      answer(broken(why));
    });
    call.time(waiting);
    const done = (reply: () => Reply) => {
      if (call.ended) return;
      waiting.release();
      answer(reply());
    };
    awaited(value).then(
      (result) => done(() => returned(result, way, request)),
      (error: unknown) => done(() => threw(error, way, request)),
    );
  });
}

/** Uses `await`, which handles a real promise even if its `then` was replaced. */
const awaited = async (value: PromiseLike<unknown>): Promise<unknown> => await value;

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  value instanceof Promise ||
  (((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    'then' in value &&
    typeof value.then === 'function');

const NO_ARGS: readonly unknown[] = Object.freeze([]);

function returned(value: unknown, way: WayOf<'call'>, request: CallRequest): Reply {
  if (way.direct === true) return { kind: 'returned', value, args: NO_ARGS };
  const args = copied(request.args);
  return 'kind' in args ? args : { kind: 'returned', value, args };
}

function threw(error: unknown, way: WayOf<'call'>, request: CallRequest): Reply {
  const args = way.direct === true ? NO_ARGS : copied(request.args);
  return 'kind' in args ? args : { kind: 'threw', ...describeThrown(error), args };
}

/**
 * Copies the arguments after the call. A hook may have added a throwing getter, a proxy or endless nesting.
 */
function copied(args: readonly unknown[]): readonly unknown[] | Reply {
  try {
    return copyPlain(args);
  } catch (error) {
    return broken(
      'unreadable',
      `the arguments cannot be read after the call: ${describeThrown(error).message}`,
    );
  }
}

const broken = (kind: FailureKind, detail?: string): Reply => ({
  kind: 'broken',
  why: detail === undefined ? { kind } : { kind, detail },
});

const reasonOf = (why: EndedBy): DOMException =>
  why === 'timed-out'
    ? new DOMException('the hook ran out of time', 'TimeoutError')
    : new DOMException('the host cancelled the event', 'AbortError');
