import type { FailureKind } from '../../events/exchange.ts';

/** A failure that already has its name. */
export class McpFailure extends Error {
  readonly kind: FailureKind;
  /** The server did not take the call: it may be made again. */
  readonly isUntaken: boolean;
  constructor(kind: FailureKind, message: string, { isUntaken = false } = {}) {
    super(message);
    this.name = 'Fault';
    this.kind = kind;
    this.isUntaken = isUntaken;
  }
}
