/** Both ends of the control channel: answers requests of the peer, sends our own, and ends in one defined way. */

import type { LazyAbort } from '../../../runners/lazy-abort.ts';
import { describeThrown } from '../../../runners/module/thrown.mjs';
import { Channel, type ChannelStreams } from './channel.ts';
import { cancelFrame, type Codec, type CodecName, CODECS, requestFrame, type CodedRefusal } from './codec.ts';
import { HookError } from './errors.ts';
import { type Frame, idInHead, type LooseFields, readFrame } from './frame.ts';
import { InFlight, type Task } from './in-flight.ts';
import type { WarnLog } from './log.ts';
import { OwnRequests, type RequestOptions, type RequestEnd } from './own-requests.ts';

/** The transferred form of an error: its class is lost, and its code is sent if the codec supports it. */
const refusalOf = (error: unknown): CodedRefusal => ({
  code: error instanceof HookError ? error.code : 'hook_execution_error',
  message: describeThrown(error).message,
});

export interface WireOptions extends ChannelStreams {
  readonly codec: CodecName;
  readonly maxFrameBytes: number;
  readonly log: WarnLog;
  /** Answers a request. Thrown errors are sent to the peer. */
  readonly answer: (subtype: string, body: LooseFields, abort: LazyAbort) => unknown;
  readonly onMessage?: ((message: LooseFields) => void) | undefined;
  readonly onGone?: ((why: string) => void) | undefined;
}

/** After the input ends the peer may still read, so running requests get this long to be answered. */
const GRACE_MS = 500;
/** For callbacks that ignore their signal. */
const FAREWELL_MS = 1000;

export class Wire {
  readonly codec: Codec;
  readonly #options: WireOptions;
  readonly #channel: Channel;
  readonly #inFlight = new InFlight();
  readonly #own = new OwnRequests();
  readonly #running = new Set<Promise<void>>();
  #over: string | undefined;

  constructor(options: WireOptions) {
    this.codec = CODECS[options.codec];
    this.#options = options;
    this.#channel = new Channel(options, options.maxFrameBytes, options.log, {
      onLine: (line) => this.#take(readFrame(line)),
      onGiant: (head, bytes) => this.#refuseGiant(head, bytes),
      onEnd: () => this.#ended(),
      onGone: (why) => this.#gone(why),
    });
  }

  start(): void {
    this.#channel.open();
  }

  ask(body: LooseFields, options: RequestOptions): Promise<RequestEnd> {
    if (this.#over !== undefined) return Promise.resolve({ kind: 'gone', message: this.#over });
    return this.#own.ask(
      (id) => this.send(requestFrame(id, body)),
      (id) => this.send(cancelFrame(id)),
      options,
    );
  }

  /** Cancels running requests, informs the peer, and stops reading. The caller owns the streams. */
  async close(): Promise<void> {
    this.#over ??= 'the channel was closed';
    this.#own.failAll(this.#over);
    this.#inFlight.cancelAll('the stream was cancelled', 'answered');
    await withinTime(Promise.all(this.#running), FAREWELL_MS);
    this.#inFlight.cancelAll('the stream was cancelled', 'silent');
    this.#channel.close();
  }

  /** Number of requests that are being answered. */
  get size(): number {
    return this.#inFlight.size;
  }

  endOutput(): void {
    this.#channel.endOutput();
  }

  send(message: LooseFields): void {
    this.#channel.write(JSON.stringify(message));
  }

  #take(frame: Frame): void {
    const take = this.#frames[frame.kind] as (frame: Frame) => void;
    take(frame); // the key of the table is the kind of the value
  }
  readonly #frames: { readonly [K in Frame['kind']]: (frame: Extract<Frame, { kind: K }>) => void } = {
    request: (frame) => this.#begin(frame),
    answer: (frame) => this.#settle(frame),
    refusal: (frame) => this.#settle(frame),
    cancel: ({ id }) => void this.#inFlight.withdraw(id),
    message: ({ message }) => this.#tell(message),
    noise: ({ why }) => this.#options.log('warn', `a line was skipped: ${why}`),
  };

  #begin({ id, subtype, body }: Extract<Frame, { kind: 'request' }>): void {
    if (this.#over !== undefined) return this.#options.log('warn', `request ${id}: ${this.#over}`);
    const task = this.#inFlight.begin(id);
    if (task === undefined) return this.#options.log('warn', `request ${id} is already being answered`);
    let answer: unknown;
    try {
      answer = this.#options.answer(subtype, body, task.abort);
    } catch (error) {
      return this.#end(task, this.#refusal(id, error));
    }
    if (!(answer instanceof Promise)) return this.#end(task, this.#answer(id, answer));
    const running: Promise<void> = answer.then(
      (value) => this.#end(task, this.#answer(id, value), running),
      (error: unknown) => this.#end(task, this.#refusal(id, error), running),
    );
    this.#running.add(running);
  }

  #answer(id: string, value: unknown): string {
    try {
      return this.codec.answer(id, value);
    } catch (error) {
      return this.#refusal(id, error);
    }
  }
  #refusal(id: string, error: unknown): string {
    return JSON.stringify(this.codec.refusal(id, refusalOf(error)));
  }
  #end(task: Task, line: string, running?: Promise<void>): void {
    if (running !== undefined) this.#running.delete(running);
    this.#inFlight.end(task);
    if (task.isWanted) this.#channel.write(line);
  }

  /** A listener that throws must not stop the reading. */
  #tell(message: LooseFields): void {
    try {
      this.#options.onMessage?.(message);
    } catch (error) {
      this.#options.log('error', 'onMessage threw', { error });
    }
  }

  #settle(frame: Extract<Frame, { kind: 'answer' | 'refusal' }>): void {
    if (!this.#own.settle(frame))
      this.#options.log('warn', `an answer to ${frame.id}, which has no pending request`);
  }

  #refuseGiant(head: string, bytes: number): void {
    const message = `a frame of ${bytes} bytes was skipped; at most ${this.#options.maxFrameBytes} are read`;
    this.#options.log('error', message);
    const id = idInHead(head);
    if (id !== undefined) this.send(this.codec.refusal(id, { code: 'hook_execution_error', message }));
  }
  #ended(): void {
    this.#over ??= 'the peer closed the channel';
    this.#own.failAll(this.#over);
    void withinTime(Promise.all(this.#running), GRACE_MS).then(() =>
      this.#gone('the peer closed the channel'),
    );
  }
  #gone(why: string): void {
    this.#over ??= why;
    this.#own.failAll(why);
    this.#inFlight.cancelAll(why, 'silent');
    this.#channel.close();
    this.#options.onGone?.(why);
  }
}

const withinTime = (work: Promise<unknown>, ms: number): Promise<unknown> =>
  Promise.race([work, new Promise((done) => setTimeout(done, ms).unref())]);
