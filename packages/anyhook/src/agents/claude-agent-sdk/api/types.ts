/** The words of the service: what it is made with, asked with, and what it leaves behind. */
import type { HookContext } from '../dialect/hook-callback.ts';
import type { HookEvent } from '../dialect/hook-event.ts';
import type { HookEntry } from '../dialect/read-hooks.ts';
import type { Logger } from './log.ts';

export interface ServiceOptions {
  /** The number in the first id; some SDKs count from 0. Default: 1. */
  readonly firstId?: number;
  /** For a callback whose matcher names no time of its own. Default: 30 000. */
  readonly timeoutMs?: number;
  readonly logger?: Logger;
  /** Told of every result that came after its hook had been given up. */
  readonly onLate?: (late: LateResult) => void;
}

export interface ExecuteOptions {
  /** The stream: when it is aborted, the callback is. A reason called `TimeoutError` counts as a timeout. */
  readonly signal?: AbortSignal;
  /** The caller's own deadline: shorter or longer than the matcher's and the service's, it stands. */
  readonly timeoutMs?: number;
  /** What the input does not say. */
  readonly context?: Partial<Omit<HookContext, 'signal'>>;
}

/** One callback under its id. */
export interface RegisteredCallback {
  readonly id: string;
  readonly event: HookEvent;
  readonly entry: HookEntry;
  readonly callback: HookEntry['callbacks'][number];
}

/** A result nobody waited for any more: dropped, and kept here. */
export interface LateResult {
  readonly callbackId: string;
  readonly event: HookEvent;
  readonly after: 'timeout' | 'cancel';
  readonly result: 'returned' | 'threw';
  /** From its start. */
  readonly ms: number;
}
