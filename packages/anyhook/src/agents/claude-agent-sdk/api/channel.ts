/**
 * Reads and writes frames as lines on a pair of streams. Respects back-pressure, and reports once that the peer has
 * disconnected.
 */

import type { Readable, Writable } from 'node:stream';
import { Lines } from './lines.ts';
import type { WarnLog } from './log.ts';

export interface ChannelStreams {
  readonly input: Readable;
  readonly output: Writable;
}
export interface ChannelListener {
  readonly onLine: (line: string) => void;
  readonly onGiant: (head: string, bytes: number) => void;
  /** The input has ended. Pending requests may still be answered. */
  readonly onEnd: () => void;
  /** The output has closed, or reading failed. */
  readonly onGone: (why: string) => void;
}

export class Channel {
  readonly #streams: ChannelStreams;
  readonly #lines: Lines;
  readonly #listener: ChannelListener;
  readonly #log: WarnLog;
  #state: 'new' | 'open' | 'over' = 'new';
  #waiting = '';

  constructor(streams: ChannelStreams, maxFrameBytes: number, log: WarnLog, listener: ChannelListener) {
    this.#streams = streams;
    this.#lines = new Lines(maxFrameBytes, listener);
    this.#listener = listener;
    this.#log = log;
  }

  open(): void {
    if (this.#state !== 'new') return;
    this.#state = 'open';
    const { input, output } = this.#streams;
    // Never removed, because a pipe that breaks after the end must not crash the program.
    input.on('error', (error: Error) => this.#gone(`read failed: ${error.message}`));
    output.on('error', (error: Error) => this.#gone(`write failed: ${error.message}`));
    input.on('data', this.#read).on('end', this.#ended).on('close', this.#closed);
    output.on('drain', this.#drained).on('close', this.#closed);
    if (output.destroyed || output.writableEnded) this.#closed();
    else if (input.readableEnded) this.#ended();
    else if (input.destroyed) this.#closed();
  }

  /** Lines of one tick are sent in one write, so that the peer wakes up once. */
  write(line: string): void {
    if (!this.#isWritable) return this.#drop(line);
    if (this.#waiting === '') process.nextTick(this.#flush);
    this.#waiting += `${line}\n`;
  }

  /** Stops reading requests while the peer does not read our answers. */
  readonly #flush = (): void => {
    const lines = this.#waiting;
    this.#waiting = '';
    if (lines === '') return;
    if (!this.#isWritable) this.#drop(lines);
    else if (!this.#streams.output.write(lines)) this.#streams.input.pause();
  };

  get #isWritable(): boolean {
    const { output } = this.#streams;
    return this.#state === 'open' && !output.destroyed && !output.writableEnded;
  }
  #drop(lines: string): void {
    this.#log('warn', 'a frame could not be sent: the peer has disconnected', { line: lines.slice(0, 200) });
  }

  endOutput(): void {
    this.#flush();
    this.#streams.output.end();
  }

  close(): void {
    const { input, output } = this.#streams;
    this.#flush();
    this.#state = 'over';
    input.off('data', this.#read).off('end', this.#ended).off('close', this.#closed);
    output.off('drain', this.#drained).off('close', this.#closed);
  }

  readonly #read = (chunk: Buffer | string): void => this.#lines.push(chunk);
  readonly #drained = (): void => void this.#streams.input.resume();
  readonly #ended = (): void => {
    const { rest } = this.#lines;
    if (rest.trim() !== '') this.#log('warn', 'the last frame is cut off', { rest: rest.slice(0, 200) });
    this.#listener.onEnd();
  };
  /**
   * An input that ended before it closed was read completely. If the owner ended the output, the peer may still send.
   * If the output failed, nothing more can be written.
   */
  readonly #closed = (): void => {
    const { input, output } = this.#streams;
    if (output.writableFinished && output.errored === null && !input.destroyed) return;
    if (output.destroyed || output.closed || output.writableEnded) this.#gone('the output is closed');
    else if (!input.readableEnded) this.#gone('the input was closed');
  };

  #gone(why: string): void {
    if (this.#state !== 'open') return;
    this.close();
    this.#listener.onGone(why);
  }
}
