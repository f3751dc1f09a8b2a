/** One handler and the module it belongs to. */
import { timed } from './stopwatch.ts';
import type { HookContext, LoadedHook, StoredHandler } from './types/index.ts';

export interface HookListener {
  readonly hook: LoadedHook;
  readonly handler: StoredHandler;
}
export interface CallTerms {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const HANDLER_MS = 30_000;
/** What is no positive number means the default. */
export const soundMs = (timeoutMs: number | undefined): number =>
  timeoutMs !== undefined && Number.isFinite(timeoutMs) && timeoutMs > 0 ? timeoutMs : HANDLER_MS;

/** In the order of the modules, then of registration. */
export const listenersOf = (hooks: readonly LoadedHook[], type: string): HookListener[] =>
  hooks.flatMap((hook) => (hook.handlers.get(type) ?? []).map((handler) => ({ hook, handler })));

/** Rejects when the handler throws, runs out of time, or the host gives up. */
export function callListener(
  { hook, handler }: HookListener,
  event: object,
  ctx: HookContext,
  { timeoutMs, signal }: CallTerms,
): Promise<unknown> {
  const call = handler as (event: object, ctx: HookContext) => unknown; // stored under the very event it is called with
  return timed(() => call(event, ctx), {
    timeoutMs: soundMs(timeoutMs),
    who: `hook ${hook.path}`,
    signal,
  });
}
