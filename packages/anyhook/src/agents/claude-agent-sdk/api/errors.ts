/** Errors of callbacks, distinguished by class, and by `code` where a class cannot be transferred. */

import type { HookEvent } from '../dialect/hook-event.ts';

export type HookErrorCode =
  | 'unknown_callback'
  | 'hook_timeout'
  | 'hook_cancelled'
  | 'invalid_hook_output'
  | 'hook_execution_error';

export interface HookErrorDetails {
  readonly callbackId: string;
  readonly event?: HookEvent | undefined;
  readonly cause?: unknown;
}

export class HookError extends Error {
  readonly code: HookErrorCode;
  readonly callbackId: string;
  readonly event: HookEvent | undefined;

  constructor(code: HookErrorCode, message: string, details: HookErrorDetails) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.name = new.target.name;
    this.code = code;
    this.callbackId = details.callbackId;
    this.event = details.event;
  }
}

/** A deadline has passed: of the service, the matcher, or the caller. */
export class HookTimeoutError extends HookError {
  constructor(message: string, details: HookErrorDetails) {
    super('hook_timeout', message, details);
  }
}
/** The stream was cancelled while it ran. */
export class HookCancelledError extends HookError {
  constructor(message: string, details: HookErrorDetails) {
    super('hook_cancelled', message, details);
  }
}
export class UnknownCallbackError extends HookError {
  constructor(callbackId: string, known: number) {
    const registered = known === 0 ? 'none is registered' : `${known} are registered, none with this id`;
    super('unknown_callback', `unknown callback ID: ${callbackId} (${registered})`, { callbackId });
  }
}
/** The callback threw or rejected; `cause` is the thrown value. */
export class HookPanicError extends HookError {
  constructor(message: string, details: HookErrorDetails) {
    super('hook_execution_error', message, details);
  }
}
export class InvalidHookOutputError extends HookError {
  /** The invalid field: `hookSpecificOutput.permissionDecision`. */
  readonly field: string;
  constructor(field: string, message: string, details: HookErrorDetails) {
    super('invalid_hook_output', message, details);
    this.field = field;
  }
}
