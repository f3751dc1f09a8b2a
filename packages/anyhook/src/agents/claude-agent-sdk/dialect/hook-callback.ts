import type { OnFailure } from '../../../events/hook.ts';
import type { HookEvent } from './hook-event.ts';
import type { HookInput } from './hook-input.ts';
import type { HookJSONOutput } from './hook-output.ts';

/** All fields are always there; `null`: not known, as before the session began or in a host that has no such thing. */
export interface HookContext {
  /** Aborts when the time is over or the stream was cancelled. */
  readonly signal: AbortSignal;
  readonly sessionId: string | null;
  readonly transcriptPath: string | null;
  readonly cwd: string | null;
  readonly permissionMode: string | null;
}

/** `{}` is no decision. A throw, a rejection, or nothing returned is a failure, never consent. */
export type HookCallback<E extends HookEvent = HookEvent> = (
  input: HookInput<E>,
  toolUseId: string | null,
  context: HookContext,
) => HookJSONOutput | Promise<HookJSONOutput>;

export interface HookMatcher<E extends HookEvent = HookEvent> {
  /** A tool's name, several joined by a bar, or a pattern; without it, everything. */
  readonly matcher?: string | null;
  readonly hooks: readonly HookCallback<E>[];
  /** Seconds, for each of them. */
  readonly timeout?: number;
  /** What a failure means; otherwise the dialect's rule. `continue` is the CLI's own word for `allow`. */
  readonly onFailure?: OnFailure | 'continue';
}

/** What `registerHooks`, `query`, `Client` and `createHooks({ hooks })` take. */
export type HooksByEvent = {
  readonly [E in HookEvent]?:
    | HookCallback<E>
    | HookMatcher<E>
    | readonly (HookMatcher<E> | HookCallback<E>)[];
};

/** What the published package's callbacks return, as far as it matters here: not an effect of anyhook. */
interface PublishedOutput {
  readonly continue?: boolean;
  readonly async?: boolean;
  readonly kind?: never;
}
/** Any function: the published package types its callbacks with its own inputs. */
type PublishedCallback = (...args: never[]) => PublishedOutput | Promise<PublishedOutput>;
interface PublishedMatcher {
  readonly matcher?: string;
  readonly hooks: readonly PublishedCallback[];
  readonly timeout?: number;
  readonly onFailure?: 'continue' | 'block';
}
/** The same, written with the types of `@anthropic-ai/claude-agent-sdk`: its `HookCallback`, its `HookCallbackMatcher[]`. */
export type PublishedHooks = {
  readonly [E in HookEvent]?:
    | PublishedCallback
    | PublishedMatcher
    | readonly (PublishedMatcher | PublishedCallback)[]
    | undefined;
};
