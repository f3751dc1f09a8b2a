import type { EventName, Payload } from './events.ts';
import type { TraceContext, TraceHeaders } from './trace.ts';
import type { Usage } from './usage.ts';

export interface Ids {
  readonly session: string;
  /** Set for subagents. */
  readonly agent?: string;
  /** Correlates the events before and after one tool call. */
  readonly call?: string;
  /** The model's message that contains the call. */
  readonly message?: string;
}

/** Where the event happened. Most dialects need this besides the payload. */
export interface Scene {
  readonly cwd: string;
  readonly model?: string;
  readonly transcript?: string;
  readonly mode?: string;
  readonly agentType?: string;
}

/** The host's names in a tool call, so that hooks get the host's names and changes can be converted back. */
export interface Spelling {
  readonly tool: string;
  /** Our argument name → the host's. Equal names are omitted. */
  readonly args: Readonly<Record<string, string>>;
  /** The same for the items of an argument that is a list. */
  readonly items?: { readonly arg: string; readonly args: Readonly<Record<string, string>> };
  /**
   * Set if the host sent the command as a list of words or inside an object: its key, the original value and
   * our text of it.
   */
  readonly command?: {
    readonly key: string;
    readonly argsKey?: string;
    readonly value: unknown;
    readonly text: string;
  };
}

export interface Event<E extends EventName = EventName> {
  readonly name: E;
  /** The current value, with our names. Never the object that a hook may modify. */
  readonly payload: Payload<E>;
  readonly ids: Ids;
  readonly scene: Scene;
  /** The payload as the host sent it. */
  readonly raw?: unknown;
  readonly native?: Spelling;
  /** Tokens and cost of the session, if its agent reveals them. */
  readonly usage?: Usage;
  /** Trace context of the agent that fired the event. */
  readonly trace?: TraceContext;
  /** 2: the hook runs again, on the final value. */
  readonly round: 1 | 2;
}

/** What a host fires. `createHooks` fills in what is missing. */
export interface EventInput<E extends EventName = EventName> {
  readonly name: E;
  readonly payload: Payload<E>;
  readonly ids?: Partial<Ids>;
  readonly scene?: Partial<Scene>;
  readonly raw?: unknown;
  /** Tokens and cost of the session so far. */
  readonly usage?: Usage;
  /** The host's current span. Default: the program's (`TRACEPARENT`). */
  readonly traceHeaders?: TraceHeaders;
  readonly signal?: AbortSignal;
  /**
   * Limit for all hooks of this event together, in milliseconds. A lower `limits.budgetMs` takes precedence.
   */
  readonly budgetMs?: number;
  /** Processes whose end shows that nobody waits for the outcome any more. A question to the user is then withdrawn. */
  readonly waiting?: WaitingProcesses;
}

export interface WaitingProcesses {
  /** The process that gets the outcome. */
  readonly pid?: number;
  /** The agent. */
  readonly agent?: number;
}
