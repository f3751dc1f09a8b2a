/** The server behind the proxy, independent of its transport. */

import type { Message } from './message.ts';

/** Maximum message size of both sides, because messages are held in memory. */
export const LARGEST_MESSAGE_BYTES = 64 * 1024 * 1024;

/** One side of the proxy. If the other side is slow, nothing more is read, so no data piles up here. */
export interface LinkEnd {
  /** Set while it cannot accept more; resolves when it can. */
  readonly full: Promise<void> | undefined;
  /** Stops reading from it until then. */
  hold(until: Promise<void>): void;
}

export interface ServerLink extends LinkEnd {
  /** Throws if the message cannot be serialised. Later failures are reported to the listener. */
  send(message: Message): void;
  /** The client sends no more; answers may still arrive. */
  finish(): void;
  /** Ends it with all its child processes. */
  close(): Promise<void>;
  /** Sets the protocol version for later requests. */
  agreedOn?(protocolVersion: string): void;
}

export interface ServerListener {
  /** `line` is the original text, if it was a single line. */
  message(message: Message, line?: string): void;
  /** It sent an invalid message, or a message was lost. */
  trouble(text: string): void;
  /** Called once, as the last event. `code` is the exit code to use. */
  ended(how: string, code: number): void;
}
