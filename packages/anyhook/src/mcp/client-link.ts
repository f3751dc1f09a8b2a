/** Connects to the client that started us: it writes one message per line to our stdin and reads answers from stdout. */

import { LineReader } from '../console/line-reader.ts';
import { isFields } from '../events/fields.ts';
import { fullOf, holdBack } from './flow.ts';
import { rpcFailure, INVALID, type Message, responseTo } from './message.ts';
import { LARGEST_MESSAGE_BYTES, type LinkEnd } from './server-link.ts';

const SHOWN = 200;

export interface ClientListener {
  message(message: Message): void;
  /** The client sends no more. `cut` is an unfinished message. */
  ended(cut: string): void;
}

export class ClientLink implements LinkEnd {
  readonly #parent = process.ppid;

  listen({ message, ended }: ClientListener): void {
    const lines = new LineReader(
      {
        line: (text) => this.#read(text).forEach(message),
        tooLong: (bytes) =>
          this.#refuse(
            `a message of ${bytes} bytes is larger than ${LARGEST_MESSAGE_BYTES}; it was not sent on`,
          ),
      },
      LARGEST_MESSAGE_BYTES,
    );
    process.stdin.on('data', (chunk: Buffer) => lines.push(chunk));
    process.stdin.once('end', () => ended(lines.cut.slice(0, SHOWN)));
  }

  get full(): Promise<void> | undefined {
    return fullOf(process.stdout);
  }
  hold(until: Promise<void>): void {
    holdBack(process.stdin, until);
  }

  write(line: string): void {
    process.stdout.write(`${line}\n`);
  }

  close(): void {
    process.stdin.destroy();
  }

  /** A client that only closed our stdin may still read. */
  get isGone(): boolean {
    return process.ppid !== this.#parent;
  }

  /** Splits a batch so that each message is examined. */
  #read(text: string): readonly Message[] {
    try {
      const value: unknown = JSON.parse(text);
      const messages = Array.isArray(value) ? (value as unknown[]) : [value];
      if (messages.every(isFields)) return messages;
    } catch {
      // reported below
    }
    this.#refuse(`this is not a JSON-RPC message, and was not sent on: ${text.slice(0, SHOWN)}`);
    return [];
  }

  #refuse(text: string): void {
    this.write(JSON.stringify(responseTo(null, rpcFailure(INVALID, `anyhook: ${text}`))));
  }
}
