import type { TraceHeaders } from '../../canon/trace.ts';

/** Between the engine and the process of a session. */
export interface ToSession {
  readonly id: number;
  readonly argv: readonly string[];
  readonly text: string;
  readonly trace?: TraceHeaders | undefined;
  /** What its client has kept: only who renames that starts hooks. */
  readonly kept: string;
}

export type FromSession =
  /** Nothing was started, and nothing will be. `stale`: the disk is not as it was, this process has seen its last event. */
  | { readonly kind: 'cold' | 'stale'; readonly id: number }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly code: number;
      readonly stdout: string;
      readonly stderr: string;
    };
