/** What a function answered, as the reply of a runner. */
import type { Reply } from '../canon/exchange.ts';

const NO_ARGS: readonly never[] = Object.freeze([]);

export const returned = (value: unknown): Reply => ({ kind: 'returned', value, args: NO_ARGS });

/** Whatever was thrown, in words; showing it must not call the hook's code again. */
export function threw(error: unknown): Reply {
  try {
    if (!(error instanceof Error)) return { kind: 'threw', message: String(error), args: NO_ARGS };
    const { message, stack } = error;
    return { kind: 'threw', message: String(message), args: NO_ARGS, ...(stack && { stack }) };
  } catch {
    return { kind: 'threw', message: 'something that cannot be shown was thrown', args: NO_ARGS };
  }
}

/** Throws what a hostile `then` throws: that is the hook's throw, as it would be with `await`. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
