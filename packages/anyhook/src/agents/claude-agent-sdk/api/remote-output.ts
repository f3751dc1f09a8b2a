/** Converts the result of a remote callback to its answer, or to the same error as for a local one. */

import { checkOutput } from '../dialect/check-output.ts';
import type { HookEvent } from '../dialect/hook-event.ts';
import type { HookJSONOutput } from '../dialect/hook-output.ts';
import {
  HookCancelledError,
  type HookErrorDetails,
  HookPanicError,
  HookTimeoutError,
  InvalidHookOutputError,
  UnknownCallbackError,
} from './errors.ts';
import type { RequestEnd } from './own-requests.ts';

export interface RemoteCallback {
  readonly id: string;
  readonly event: HookEvent;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Only failures that may be temporary. Abandoned, unknown and disconnected callbacks stay so. */
export const mayRetry = (settled: RequestEnd): boolean =>
  settled.kind === 'refusal' && settled.code !== 'unknown_callback' && settled.code !== 'hook_cancelled';

export function remoteOutput(settled: RequestEnd, asked: RemoteCallback): HookJSONOutput {
  const { id: callbackId, event } = asked;
  if (settled.kind !== 'answer') throw ERRORS[settled.kind](settled as never, asked, { callbackId, event });
  const checked = checkOutput(event, settled.value);
  if (checked.ok) return checked.output;
  const message = `invalid output of callback ${callbackId} (${event}): ${checked.message}`;
  throw new InvalidHookOutputError(checked.field, message, { callbackId, event });
}

type Failing = Exclude<RequestEnd['kind'], 'answer'>;
const ERRORS: {
  readonly [K in Failing]: (
    settled: Extract<RequestEnd, { kind: K }>,
    asked: RemoteCallback,
    details: HookErrorDetails,
  ) => Error;
} = {
  refusal: ({ code, message }, { id }, details) =>
    code !== null && Object.hasOwn(BY_CODE, code)
      ? BY_CODE[code]!(message, details)
      : new HookPanicError(`callback ${id} failed: ${message}`, details),
  'timed-out': (_, { id, timeoutMs }, details) =>
    new HookTimeoutError(`callback ${id} did not answer in ${timeoutMs} ms`, details),
  aborted: (_, { id, signal }, details) =>
    isTimeout(signal.reason)
      ? new HookTimeoutError(`callback ${id}: the deadline has passed`, { ...details, cause: signal.reason })
      : new HookCancelledError(`callback ${id} was cancelled`, { ...details, cause: signal.reason }),
  gone: ({ message }, { id }, details) => new HookCancelledError(`callback ${id}: ${message}`, details),
};
const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError';

const BY_CODE: Readonly<Record<string, (message: string, details: HookErrorDetails) => Error>> = {
  unknown_callback: (_message, { callbackId }) => new UnknownCallbackError(callbackId, 0),
  hook_timeout: (message, details) => new HookTimeoutError(message, details),
  hook_cancelled: (message, details) => new HookCancelledError(message, details),
  invalid_hook_output: (message, details) => new InvalidHookOutputError('output', message, details),
};
