import type { Broken } from '../../canon/exchange.ts';

/** A failure that already has its name. */
export class Fault extends Error {
  readonly kind: Broken;
  /** The server did not take the call: it may be made again. */
  readonly isUntaken: boolean;
  constructor(kind: Broken, message: string, { isUntaken = false } = {}) {
    super(message);
    this.name = 'Fault';
    this.kind = kind;
    this.isUntaken = isUntaken;
  }
}
