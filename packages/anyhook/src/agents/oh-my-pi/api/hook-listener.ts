/** One handler and its module. */

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
/** Returns the default for anything but a positive number. */
export const soundMs = (timeoutMs: number | undefined): number =>
  timeoutMs !== undefined && Number.isFinite(timeoutMs) && timeoutMs > 0 ? timeoutMs : HANDLER_MS;

/** In the order of modules, then of registration. */
export const listenersOf = (hooks: readonly LoadedHook[], type: string): HookListener[] =>
  hooks.flatMap((hook) => (hook.handlers.get(type) ?? []).map((handler) => ({ hook, handler })));

/** Rejects if the handler throws or times out, or if the host gives up. */
export function callListener(
  { hook, handler }: HookListener,
  event: object,
  ctx: HookContext,
  { timeoutMs, signal }: CallTerms,
): Promise<unknown> {
  const call = handler as (event: object, ctx: HookContext) => unknown; // stored under the event with which it is called
  return timed(() => call(event, ctx), {
    timeoutMs: soundMs(timeoutMs),
    who: `hook ${hook.path}`,
    signal,
  });
}
