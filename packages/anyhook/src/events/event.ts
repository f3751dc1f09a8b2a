import type { EventName, Payload } from './events.ts';
import type { TraceContext, TraceHeaders } from './trace.ts';

export interface Ids {
  readonly session: string;
  /** Set for subagents. */
  readonly agent?: string;
  /** Correlates what happens before and after one tool call. */
  readonly call?: string;
  /** The message of the model that it is part of. */
  readonly message?: string;
}

/** Where it happened: what every dialect wants to know besides the payload. */
export interface Scene {
  readonly cwd: string;
  readonly model?: string;
  readonly transcript?: string;
  readonly mode?: string;
  readonly agentType?: string;
}

/** How the host spelled a tool call, so that hooks hear the host's own words and changes find their way back. */
export interface Spelling {
  readonly tool: string;
  /** Our argument name → the host's. Names that are the same are left out. */
  readonly args: Readonly<Record<string, string>>;
  /** The same for the items of an argument that is a list of them. */
  readonly items?: { readonly arg: string; readonly args: Readonly<Record<string, string>> };
  /** A command that the host sent as a list of words, or inside an object: where, the value there, and our text of it. */
  readonly command?: {
    readonly key: string;
    readonly argsKey?: string;
    readonly value: unknown;
    readonly text: string;
  };
}

export interface Event<E extends EventName = EventName> {
  readonly name: E;
  /** The value so far, in our words; never the object a hook may write to. */
  readonly payload: Payload<E>;
  readonly ids: Ids;
  readonly scene: Scene;
  /** What the host really sent. */
  readonly raw?: unknown;
  readonly native?: Spelling;
  /** Where the agent that fired it is traced. */
  readonly trace?: TraceContext;
  /** 2: asked again, about the final value. */
  readonly round: 1 | 2;
}

/** What a host fires. What it leaves out is filled in by `createHooks`. */
export interface EventInput<E extends EventName = EventName> {
  readonly name: E;
  readonly payload: Payload<E>;
  readonly ids?: Partial<Ids>;
  readonly scene?: Partial<Scene>;
  readonly raw?: unknown;
  /** The span that the host is in; where it says nothing, that of the program (`TRACEPARENT`). */
  readonly traceHeaders?: TraceHeaders;
  readonly signal?: AbortSignal;
  /** For all hooks of this event together, in milliseconds; `limits.budgetMs` counts if it is less. */
  readonly budgetMs?: number;
}
