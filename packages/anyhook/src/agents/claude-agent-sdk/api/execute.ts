/** The only function that calls a callback: with a deadline, a signal, and error handling. */

import { NEVER } from '../../../events/signal.ts';
import { release, wait } from '../../../runners/deadline.ts';
import type { LazyAbort } from '../../../runners/lazy-abort.ts';
import type { HookContext } from '../dialect/hook-callback.ts';
import type { HookInput } from '../dialect/hook-input.ts';
import type { LateResult, RegisteredCallback } from './types.ts';

/** `gave-up`: the caller no longer waits. */
export type CallbackEnd =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'gave-up'; readonly after: LateResult['after']; readonly reason: unknown };

export interface CallbackCall {
  readonly registered: RegisteredCallback;
  readonly input: Readonly<Record<string, unknown>>;
  readonly toolUseId: string | null;
  readonly context: HookContext;
  readonly timeoutMs: number;
  /** Aborts this call only: by the stream or its deadline. */
  readonly abort: LazyAbort;
  readonly onLate: (late: LateResult) => void;
}

/**
 * Returns what `read` makes of the result, synchronously if the callback is synchronous. Throws and rejects only with
 * errors of `read`.
 */
export function execute<T>(call: CallbackCall, read: (ended: CallbackEnd) => T): T | Promise<T> {
  const { abort } = call;
  if (abort.aborted) return read(gaveUp(abort.reason));
  const started = performance.now();
  const begunCall = begun(call);
  if (begunCall.kind === 'promised') return inTime(begunCall.value, call, started, read);
  if (!abort.aborted) return read(begunCall);
  call.onLate(lateResult(call, begunCall.kind, started));
  return read(gaveUp(abort.reason));
}

type SettledCallback = Exclude<CallbackEnd, { kind: 'gave-up' }>;
type Begun = SettledCallback | { readonly kind: 'promised'; readonly value: PromiseLike<unknown> };

/** Unifies callbacks that throw synchronously, reject, or return a foreign promise. */
function begun({ registered, input, toolUseId, context }: CallbackCall): Begun {
  try {
    const value: unknown = registered.callback(
      input as unknown as HookInput, // unchanged: the CLI defines the fields
      toolUseId,
      context,
    );
    return isThenable(value) ? { kind: 'promised', value } : { kind: 'returned', value };
  } catch (error) {
    return { kind: 'threw', error };
  }
}

function inTime<T>(
  value: PromiseLike<unknown>,
  call: CallbackCall,
  started: number,
  read: (ended: CallbackEnd) => T,
): Promise<T> {
  const { abort, timeoutMs } = call;
  return new Promise((resolve, reject) => {
    const waiting = wait({ timeoutMs, signal: NEVER }, () => abort.abort(timeIsUp(timeoutMs)));
    const end = (ended: CallbackEnd): void => {
      release(waiting);
      abort.tell(undefined);
      try {
        resolve(read(ended));
      } catch (error) {
        reject(error as Error);
      }
    };
    void whenSettled(value, (ended) =>
      abort.aborted ? call.onLate(lateResult(call, ended.kind, started)) : end(ended),
    );
    // The callback may have aborted the call before it returned its promise.
    if (abort.aborted) end(gaveUp(abort.reason));
    else abort.tell((reason) => end(gaveUp(reason)));
  });
}

/** Uses `await`, which works for a real promise even if its `then` was replaced. */
async function whenSettled(
  value: PromiseLike<unknown>,
  hear: (ended: SettledCallback) => void,
): Promise<void> {
  let ended: SettledCallback;
  try {
    ended = { kind: 'returned', value: await value };
  } catch (error) {
    ended = { kind: 'threw', error };
  }
  hear(ended);
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  value instanceof Promise ||
  (((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    'then' in value &&
    typeof value.then === 'function');

const gaveUp = (reason: unknown) =>
  ({ kind: 'gave-up', after: isTimeout(reason) ? 'timeout' : 'cancel', reason }) as const;

/** The caller's own deadline, passed as a signal. */
const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError';
const timeIsUp = (ms: number) => new DOMException(`the hook did not answer in ${ms} ms`, 'TimeoutError');

const lateResult = (
  { registered: { id, event }, abort }: CallbackCall,
  result: SettledCallback['kind'],
  started: number,
): LateResult => ({
  callbackId: id,
  event,
  after: gaveUp(abort.reason).after,
  result,
  ms: performance.now() - started,
});
