/** Types of the service: its options, the options of a call, and its records. */

import type { HookContext } from '../dialect/hook-callback.ts';
import type { HookEvent } from '../dialect/hook-event.ts';
import type { HookEntry } from '../dialect/read-hooks.ts';
import type { Logger } from './log.ts';

export interface ServiceOptions {
  /** The number in the first id; some SDKs start with 0. Default: 1. */
  readonly firstId?: number;
  /** For callbacks whose matcher has no timeout; default: 30 000. */
  readonly timeoutMs?: number;
  readonly logger?: Logger;
  /** Called for every result of an abandoned hook. */
  readonly onLate?: (late: LateResult) => void;
}

export interface ExecuteOptions {
  /** Aborts the callback. A reason named `TimeoutError` counts as a timeout. */
  readonly signal?: AbortSignal;
  /** The caller's own deadline. It overrides those of the matcher and the service. */
  readonly timeoutMs?: number;
  /** Context fields that are not in the input. */
  readonly context?: Partial<Omit<HookContext, 'signal'>>;
}

/** One callback under its id. */
export interface RegisteredCallback {
  readonly id: string;
  readonly event: HookEvent;
  readonly entry: HookEntry;
  readonly callback: HookEntry['callbacks'][number];
}

/** A result that came too late and was dropped. */
export interface LateResult {
  readonly callbackId: string;
  readonly event: HookEvent;
  readonly after: 'timeout' | 'cancel';
  readonly result: 'returned' | 'threw';
  /** Since its start. */
  readonly ms: number;
}
