/** `anyhook serve` over two streams: standard input and output, or a socket. */

import { finished, type Readable, type Writable } from 'node:stream';
import { LineReader } from '../console/line-reader.ts';
import { ServeConnection } from './connection.ts';
import { failureResponse, MAX_MESSAGE_BYTES, ServeError } from './messages.ts';

/** Requests of one client that are answered at the same time. More wait in the client's pipe. */
const MAX_RUNNING = 256;

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  readonly log: (text: string) => void;
}

/** Resolves when the input has ended, all requests are answered and all sessions are closed. */
export async function serveStreams({ input, output, log }: Streams): Promise<void> {
  const send = (message: object): void => {
    if (output.writable) output.write(`${JSON.stringify(message)}\n`);
  };
  const connection = new ServeConnection({ notify: send, log });
  const waiting: string[] = [];
  let running = 0;
  let onIdle = (): void => {};

  /** Reads no further while much is running, or while the client does not read its answers. */
  const regulate = (): void => {
    if (running >= MAX_RUNNING || output.writableNeedDrain) input.pause();
    else if (input.isPaused()) input.resume();
  };
  const start = (line: string): void => {
    running += 1;
    void answerLine(connection, line).then((response) => {
      running -= 1;
      if (response !== undefined) send(response);
      next();
    });
  };
  const next = (): void => {
    while (running < MAX_RUNNING && waiting.length > 0) start(waiting.shift()!);
    regulate();
    if (running === 0 && waiting.length === 0) onIdle();
  };
  const reader = new LineReader(
    {
      line: (line) => void waiting.push(line),
      tooLong: (bytes) =>
        send(
          failureResponse(
            null,
            new ServeError('too-large', `A message of ${bytes} bytes; 64 MiB is the limit.`),
          ),
        ),
    },
    MAX_MESSAGE_BYTES,
  );
  input.on('data', (chunk: Buffer) => {
    reader.push(chunk);
    next();
  });
  output.on('drain', regulate);
  // The client has disconnected.
  finished(output, { readable: false }, () => connection.abort());
  output.on('error', () => connection.abort());

  await new Promise<void>((resolve) => finished(input, { writable: false }, () => resolve()));
  if (reader.cut !== '')
    send(
      failureResponse(
        null,
        new ServeError('not-json', 'The last line is incomplete: it does not end with a newline.'),
      ),
    );
  await new Promise<void>((resolve) => {
    onIdle = resolve;
    next();
  });
  await connection.close();
}

async function answerLine(connection: ServeConnection, line: string): Promise<object | undefined> {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return failureResponse(
      null,
      new ServeError('not-json', 'A line is not JSON. Send one message per line.'),
    );
  }
  return connection.answer(message);
}
