import type { OnFailure } from '../../../events/hook.ts';
import type { HookEvent } from './hook-event.ts';
import type { HookInput } from './hook-input.ts';
import type { HookJSONOutput } from './hook-output.ts';

/** All fields are always present; `null`: unknown, for example before the session starts. */
export interface HookContext {
  /** Aborts at the deadline or when the stream is aborted. */
  readonly signal: AbortSignal;
  readonly sessionId: string | null;
  readonly transcriptPath: string | null;
  readonly cwd: string | null;
  readonly permissionMode: string | null;
}

/** `{}` is no decision. A throw, a rejection or a missing return value is a failure, never consent. */
export type HookCallback<E extends HookEvent = HookEvent> = (
  input: HookInput<E>,
  toolUseId: string | null,
  context: HookContext,
) => HookJSONOutput | Promise<HookJSONOutput>;

export interface HookMatcher<E extends HookEvent = HookEvent> {
  /** A tool name, several separated by a bar, or a pattern; default: everything. */
  readonly matcher?: string | null;
  readonly hooks: readonly HookCallback<E>[];
  /** Timeout in seconds for each callback. */
  readonly timeout?: number;
  /** The failure policy; default: the dialect's rule. `continue` is the CLI's name for `allow`. */
  readonly onFailure?: OnFailure | 'continue';
}

/** Accepted by `registerHooks`, `query`, `Client` and `createHooks({ hooks })`. */
export type HooksByEvent = {
  readonly [E in HookEvent]?:
    | HookCallback<E>
    | HookMatcher<E>
    | readonly (HookMatcher<E> | HookCallback<E>)[];
};

/** The return type of the published package's callbacks, without effects of anyhook. */
interface PublishedOutput {
  readonly continue?: boolean;
  readonly async?: boolean;
  readonly kind?: never;
}
/** Any function, because the published package has its own input types. */
type PublishedCallback = (...args: never[]) => PublishedOutput | Promise<PublishedOutput>;
interface PublishedMatcher {
  readonly matcher?: string;
  readonly hooks: readonly PublishedCallback[];
  readonly timeout?: number;
  readonly onFailure?: 'continue' | 'block';
}
/** The same with the types of `@anthropic-ai/claude-agent-sdk`: its `HookCallback` and `HookCallbackMatcher[]`. */
export type PublishedHooks = {
  readonly [E in HookEvent]?:
    | PublishedCallback
    | PublishedMatcher
    | readonly (PublishedMatcher | PublishedCallback)[]
    | undefined;
};
