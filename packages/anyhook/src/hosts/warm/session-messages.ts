import type { TraceHeaders } from '../../canon/trace.ts';
import type { NativeOutput } from '../console/speak.ts';

/** `cold`: nothing was started; `lost`: its hooks were started, and the process is gone. */
export type SessionAnswer = NativeOutput | 'cold' | 'lost';

/** One event, for the process of its session. */
export interface WarmEvent {
  readonly argv: readonly string[];
  readonly text: string;
  readonly trace?: TraceHeaders | undefined;
  /** What its client has kept: only who renames that starts hooks. */
  readonly kept: string;
}

/** From the engine to the process of a session. */
export type ToSession =
  | (WarmEvent & { readonly kind: 'event'; readonly id: number })
  /** The events of this agent, of the session with this key, may come by a line of its own. */
  | { readonly kind: 'listen'; readonly agent: number; readonly key: string }
  /** No further events; it ends when what is under way is answered. */
  | { readonly kind: 'end' };

export type FromSession =
  /** Nothing was started, and nothing will be. `stale`: the disk is not as it was, this process has seen its last event. */
  | { readonly kind: 'cold' | 'stale'; readonly id: number }
  /** Of an event that came by its own line: the hooks of this client's event are started now. */
  | { readonly kind: 'took'; readonly id: number; readonly pid: number; readonly argv: readonly string[] }
  | ({ readonly kind: 'answer'; readonly id: number } & NativeOutput);
