/** The author's door: a hook of our own dialect, typed by the event it listens to. */
import type { Event } from './event.ts';
import type { EffectFor, EventName } from './events.ts';
import type { OnFailure, OnOpaque, Role } from './hook.ts';
import type { withDefaults } from './services.ts';

/** What a hook may call on: the host's services, or the no-ops that stand for them. */
export type HookHost = ReturnType<typeof withDefaults> & {
  /** Aborts when the host gives up or the hook's time is over. */
  readonly signal: AbortSignal;
};

/** What a hook may answer: one effect that counts on its event, several, or nothing. */
export type HookReturn<E extends EventName> = EffectFor<E> | readonly EffectFor<E>[] | undefined | void;

export interface HookSpec<E extends EventName = EventName> {
  readonly on: E;
  /** Words or a pattern for the event's subject (the tool's name, the file, …); without it, every one. */
  readonly match?: string | readonly string[];
  /** Shown to people; otherwise the file and the export. */
  readonly name?: string;
  readonly roles?: readonly Role[];
  readonly timeoutMs?: number;
  /** What it means when the hook breaks; otherwise guards block and observers let pass. */
  readonly onFailure?: OnFailure;
  /** What it means when `match` cannot tell; otherwise guards ask and the others run. */
  readonly opaque?: OnOpaque;
  /** Decides and is recorded, but not enforced. */
  readonly shadow?: boolean;
  /** Started, not waited for. */
  readonly background?: boolean;
  /** Shown while it runs. */
  readonly status?: string;
  run(event: Event<E>, host: HookHost): HookReturn<E> | Promise<HookReturn<E>>;
}

/** Registered for all copies of this package: a module may have been written against another one. */
const DEFINITION = Symbol.for('anyhook.definition');

export type Definition<E extends EventName = EventName> = HookSpec<E> & {
  /** Where the definition stands in its file, as far as the stack told. */
  readonly line?: number;
};

/**
 * Nothing is checked here, so that one wrong hook does not keep its neighbours in the same file from loading: whoever
 * loads the module checks every definition and names what is wrong.
 */
export function defineHook<const E extends EventName>(spec: HookSpec<E>): Definition<E> {
  const line = callerLine();
  // Not spread: V8 gives every object that begins with another's fields a shape of its own, which is larger than it.
  return Object.freeze(Object.assign({ [DEFINITION]: true }, spec, line === undefined ? {} : { line }));
}

/**
 * V8 and JavaScriptCore both end a frame so. Only whoever called `defineHook` is put into words: a program may define
 * thousands, and to name a place in our own file all of its lines would be counted.
 */
function callerLine(): number | undefined {
  const { stackTraceLimit } = Error;
  const isShort = Reflect.set(Error, 'stackTraceLimit', 1);
  const caller = new Error(); // JavaScriptCore takes nothing else
  Error.captureStackTrace(caller, defineHook);
  if (isShort) Error.stackTraceLimit = stackTraceLimit;
  const [, line] = /:(\d+):\d+\)?$/m.exec(caller.stack ?? '') ?? [];
  return line === undefined ? undefined : Number(line);
}
