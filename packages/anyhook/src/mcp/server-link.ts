/** The server behind the proxy, whatever it is reached by. */
import type { Message } from './message.ts';

/** No message of either side may be larger: it is held in memory whole, and read. */
export const LARGEST_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * One side of the proxy. What the other side is too slow to take is not read: nothing piles up here, and a pipe is as long as
 * it would be without us.
 */
export interface LinkEnd {
  /** It has more than it takes at once; settles when that has gone. */
  readonly full: Promise<void> | undefined;
  /** Nothing more is read from it until then. */
  hold(until: Promise<void>): void;
}

export interface ServerLink extends LinkEnd {
  /** Throws for what cannot be written; what else becomes of it is heard. */
  send(message: Message): void;
  /** The client has said all it will say; answers may still come. */
  finish(): void;
  /** It ends, with all that it has started. */
  close(): Promise<void>;
  /** For the requests that follow. */
  agreedOn?(protocolVersion: string): void;
}

export interface ServerListener {
  /** `line`: the very text, where it came as one. */
  message(message: Message, line?: string): void;
  /** It said something that is no message, or a message was lost. */
  trouble(text: string): void;
  /** Once, and nothing after it. `code` is what a program that ends so would leave behind. */
  ended(how: string, code: number): void;
}
