/** The one way in which a callback is ever called: with a deadline, a signal, and its throw caught. */
import type { HookContext } from '../../dialects/claude-agent-sdk/hook-callback.ts';
import type { HookInput } from '../../dialects/claude-agent-sdk/hook-input.ts';
import { clampMs, release, wait } from '../../runners/deadline.ts';
import type { LateResult, RegisteredCallback } from './types.ts';

/** `gave-up`: nobody waits for it any more. */
export type CallbackEnd =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'gave-up'; readonly after: LateResult['after']; readonly reason: unknown };

export interface CallbackCall {
  readonly registered: RegisteredCallback;
  readonly input: Readonly<Record<string, unknown>>;
  readonly toolUseId: string | null;
  readonly contextWith: (signal: AbortSignal) => HookContext;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onLate: (late: LateResult) => void;
}

/** Never rejects. */
export function execute(call: CallbackCall): Promise<CallbackEnd> {
  const { signal, timeoutMs } = call;
  if (signal.aborted) return Promise.resolve(gaveUp(signal.reason));
  const own = new AbortController();
  const started = performance.now();
  return new Promise((answer) => {
    const end = (ended: CallbackEnd) => {
      clearTimeout(timer);
      release(waiting);
      answer(ended);
    };
    const giveUp = (reason: unknown) => {
      own.abort(reason);
      end(gaveUp(reason));
    };
    const timer = setTimeout(() => giveUp(timeIsUp(timeoutMs)), clampMs(timeoutMs));
    const waiting = wait({ timeoutMs: Infinity, signal }, () => giveUp(signal.reason));
    void settled(call, own.signal).then((ended) => {
      if (own.signal.aborted) call.onLate(lateResult(call, own.signal.reason, ended.kind, started));
      else end(ended);
    });
  });
}

type SettledCallback = Exclude<CallbackEnd, { kind: 'gave-up' }>;

/** A callback that throws at once, rejects, or hands back a strange promise: all the same from here on. */
async function settled({ registered, input, toolUseId, contextWith }: CallbackCall, signal: AbortSignal) {
  try {
    const value: unknown = await registered.callback(
      input as unknown as HookInput, // as it came: what fields it has is the CLI's business
      toolUseId,
      contextWith(signal),
    );
    return { kind: 'returned', value } satisfies SettledCallback;
  } catch (error) {
    return { kind: 'threw', error } satisfies SettledCallback;
  }
}

const gaveUp = (reason: unknown) =>
  ({ kind: 'gave-up', after: isTimeout(reason) ? 'timeout' : 'cancel', reason }) as const;

/** The caller's own deadline, given as a signal. */
const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError';
const timeIsUp = (ms: number) => new DOMException(`the hook did not answer in ${ms} ms`, 'TimeoutError');

const lateResult = (
  { registered: { id, event } }: CallbackCall,
  reason: unknown,
  result: SettledCallback['kind'],
  started: number,
): LateResult => ({
  callbackId: id,
  event,
  after: gaveUp(reason).after,
  result,
  ms: performance.now() - started,
});
