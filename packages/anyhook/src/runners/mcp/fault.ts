import type { FailureKind } from '../../events/exchange.ts';

/** A failure with its kind. */
export class McpFailure extends Error {
  readonly kind: FailureKind;
  /** The server did not process the call, so it may be repeated. */
  readonly isUntaken: boolean;
  constructor(kind: FailureKind, message: string, { isUntaken = false } = {}) {
    super(message);
    this.name = 'Fault';
    this.kind = kind;
    this.isUntaken = isUntaken;
  }
}
