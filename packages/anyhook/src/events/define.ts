/** `defineHook` for hook authors, typed by the event that the hook listens to. */

import type { Event } from './event.ts';
import type { EffectFor, EventName } from './events.ts';
import type { OnFailure, OnOpaque, Role } from './hook.ts';
import type { withDefaults } from './services.ts';

/** What a hook can use: the host's services, or no-ops if the host lacks them. */
export type HookHost = ReturnType<typeof withDefaults> & {
  /** Aborts when the host cancels the event or the hook times out. */
  readonly signal: AbortSignal;
};

/** What a hook may return: one effect that counts on its event, several, or nothing. */
export type HookReturn<E extends EventName> = EffectFor<E> | readonly EffectFor<E>[] | undefined | void;

export interface HookSpec<E extends EventName = EventName> {
  readonly on: E;
  /**
   * Names or a pattern for the event's subject (the tool name, the file, …). Without it, the hook runs for
   * every subject.
   */
  readonly match?: string | readonly string[];
  /** Name to display. Default: the file and the export. */
  readonly name?: string;
  readonly roles?: readonly Role[];
  readonly timeoutMs?: number;
  /** What a failure of the hook means. Default: guards block, observers let the event pass. */
  readonly onFailure?: OnFailure;
  /** What to do if `match` cannot tell. Default: guards ask, other hooks run. */
  readonly opaque?: OnOpaque;
  /** The hook runs and is recorded, but its decision is not enforced. */
  readonly shadow?: boolean;
  /** `false`: a refusal is not remembered, so another call that does the same is judged as if it were the first. */
  readonly sticky?: boolean;
  /** The host does not wait for the hook. */
  readonly background?: boolean;
  /** Displayed while the hook runs. */
  readonly status?: string;
  run(event: Event<E>, host: HookHost): HookReturn<E> | Promise<HookReturn<E>>;
}

/** Registered globally, because a module may use another copy of this package. */
const DEFINITION = Symbol.for('anyhook.definition');

export type Definition<E extends EventName = EventName> = HookSpec<E> & {
  /** Line of the definition in its file, if the stack trace contains it. */
  readonly line?: number;
};

/**
 * Does not check the spec, so that one invalid hook does not keep the others in the file from loading. The
 * module loader checks every definition and reports its problems.
 */
export function defineHook<const E extends EventName>(spec: HookSpec<E>): Definition<E> {
  const line = callerLine();
  // `Object.assign` instead of a spread: V8 would give every such object its own, larger hidden class.
  return Object.freeze(Object.assign({ [DEFINITION]: true }, spec, line === undefined ? {} : { line }));
}

/**
 * V8 and JavaScriptCore end stack frames in the same format. Only the frame that called `defineHook` is
 * captured, because a program may define thousands of hooks and formatting a frame means counting the lines
 * of its file.
 */
function callerLine(): number | undefined {
  const { stackTraceLimit } = Error;
  const isShort = Reflect.set(Error, 'stackTraceLimit', 1);
  const caller = new Error(); // JavaScriptCore accepts only an Error here
  Error.captureStackTrace(caller, defineHook);
  if (isShort) Error.stackTraceLimit = stackTraceLimit;
  const [, line] = /:(\d+):\d+\)?$/m.exec(caller.stack ?? '') ?? [];
  return line === undefined ? undefined : Number(line);
}
