import type { TraceHeaders } from '../../canon/trace.ts';

/** Between the engine and the process of a session. */
export interface ToSession {
  readonly id: number;
  readonly argv: readonly string[];
  readonly text: string;
  readonly trace?: TraceHeaders;
  /** After this nothing is started any more: by then the engine has left the event to the cold way. Of the system's clock. */
  readonly startBy: number;
}

export type FromSession =
  /** Its hooks are being asked: from now on nobody else may start them. */
  | { readonly kind: 'started'; readonly id: number }
  /** Nothing was started, and nothing will be. `stale`: the disk is not as it was, this process has seen its last event. */
  | { readonly kind: 'cold' | 'stale'; readonly id: number }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly code: number;
      readonly stdout: string;
      readonly stderr: string;
    };

/** Counts alike in every process of a machine, whatever is done to the clock on the wall. */
export const systemMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);
