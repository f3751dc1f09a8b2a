/** Converts the callbacks in a peer's `initialize` to hooks. The callbacks stay in the other process. */

import { isFields } from '../../../events/fields.ts';
import type { Problem } from '../../../events/problems.ts';
import type { HookCallback, HooksByEvent } from '../dialect/hook-callback.ts';
import type { HookEvent } from '../dialect/hook-event.ts';
import { readCallbackHooks } from '../dialect/read-hooks.ts';
import type { LooseFields } from './frame.ts';

export interface PeerHooks {
  /** The value for `createHooks({ sdk })`. */
  readonly hooks: HooksByEvent;
  /** Event by callback id. */
  readonly events: ReadonlyMap<string, HookEvent>;
  readonly problems: readonly Problem[];
}
type CallbackFor = (id: string) => HookCallback;

/** Nested: event → matchers with ids. Flat: id → event. Accepts both and never throws. */
export function peerHooks(body: LooseFields, callbackFor: CallbackFor, timeoutMs: number): PeerHooks {
  const declared = isFields(body['hookCallbacks']) ? grouped(body['hookCallbacks']) : body['hooks'];
  const given = isFields(declared) ? mapped(declared, callbackFor, timeoutMs / 1000) : declared;
  const { entries, problems } = readCallbackHooks(given, '(peer)');
  const events = new Map(
    entries.flatMap(({ event, callbacks }) => callbacks.map((one) => [idOf.get(one)!, event] as const)),
  );
  return { hooks: (isFields(given) ? given : {}) as HooksByEvent, events, problems }; // invalid entries are in problems
}

const idOf = new WeakMap<HookCallback, string>();

function grouped(callbacks: LooseFields): LooseFields {
  const events: Record<string, { hookCallbackIds: string[] }[]> = {};
  for (const [id, event] of Object.entries(callbacks))
    (events[String(event)] ??= []).push({ hookCallbackIds: [id] });
  return events;
}

const mapped = (declared: LooseFields, callbackFor: CallbackFor, timeout: number): LooseFields =>
  Object.fromEntries(
    Object.entries(declared).map(([event, matchers]) => [
      event,
      Array.isArray(matchers) ? matchers.map((one) => matcherOf(one, callbackFor, timeout)) : matchers,
    ]),
  );

function matcherOf(matcher: unknown, callbackFor: CallbackFor, timeout: number): unknown {
  if (!isFields(matcher) || !Array.isArray(matcher['hookCallbackIds'])) return matcher;
  const { hookCallbackIds: ids, ...rest } = matcher;
  const hooks = (ids as unknown[]).map((id) => (typeof id === 'string' ? remembered(id, callbackFor) : id));
  return { timeout, ...rest, hooks };
}

function remembered(id: string, callbackFor: CallbackFor): HookCallback {
  const callback = callbackFor(id);
  idOf.set(callback, id);
  return callback;
}
