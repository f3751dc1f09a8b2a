import type { Problem } from '../../../events/problems.ts';
import { NEVER } from '../../../events/signal.ts';
import type { HooksByEvent } from '../dialect/hook-callback.ts';
import { type CliEnd, type CliOptions, CliProcess, exited } from './cli-process.ts';
import { HooksUnsupportedError, ProtocolError } from './connection-errors.ts';
import type { LooseFields } from './frame.ts';
import { InputLife } from './input-life.ts';
import { MessageQueue } from './message-queue.ts';
import { type ProtocolOptions, ProtocolHandler } from './protocol.ts';
import { HookService } from './service.ts';
import type { ServiceOptions } from './types.ts';

/** A message of the CLI, unchanged. */
export type Message = LooseFields & { readonly type: string };
export type UserMessage = LooseFields & { readonly type: 'user' };

export interface ClientOptions
  extends
    CliOptions,
    ServiceOptions,
    Pick<ProtocolOptions, 'requests' | 'requestTimeoutMs' | 'maxFrameBytes'> {
  readonly hooks?: HooksByEvent;
  /** Cancels every hook in flight and ends the CLI. */
  readonly signal?: AbortSignal;
  /** Additional fields of `initialize`. */
  readonly initialize?: LooseFields;
}

/** A CLI process with our callbacks. */
export class Client implements AsyncIterable<Message> {
  readonly #options: ClientOptions;
  readonly #service: HookService;
  readonly #messages: MessageQueue<Message>;
  readonly #signal: AbortSignal;
  #cli: CliProcess | undefined;
  #protocol: ProtocolHandler | undefined;
  #life: InputLife | undefined;
  #hasResult = false;
  #closing: Promise<void> | undefined;

  constructor(options: ClientOptions = {}) {
    this.#options = options;
    this.#signal = options.signal ?? NEVER;
    this.#service = new HookService(options);
    this.#service.registerHooks(options.hooks);
    this.#messages = new MessageQueue((waiting) => this.#cli?.hold(waiting > 0 ? 'yes' : 'no'));
  }

  /** Problems in the hooks that did not prevent others from being registered. */
  get problems(): readonly Problem[] {
    return this.#service.problems;
  }

  /** Starts the CLI and registers the hooks. Resolves with its answer to `initialize`. */
  async connect(): Promise<LooseFields> {
    if (this.#cli !== undefined || this.#closing !== undefined)
      throw misuse('connect: a client connects once');
    this.#signal.throwIfAborted();
    const cli = (this.#cli = await CliProcess.start(this.#options));
    const protocol = (this.#protocol = this.#speakTo(cli));
    this.#options.signal?.addEventListener('abort', this.#abort, { once: true });
    void cli.ended.then((end) => this.#ended(end));
    try {
      this.#signal.throwIfAborted();
      return await protocol.initialize(this.#options.initialize ?? {}, this.#signal);
    } catch (error) {
      return await this.#neverBegan(cli, error);
    }
  }

  /** Sends `initialize` again with the same hooks. */
  async initialize(): Promise<LooseFields> {
    if (this.#protocol === undefined) throw misuse('initialize: connect first');
    return await this.#protocol.initialize(this.#options.initialize ?? {}, this.#signal);
  }

  /** Returns the clearest reason why the CLI did not accept our hooks. */
  async #neverBegan(cli: CliProcess, error: unknown): Promise<never> {
    const why = error instanceof ProtocolError ? error.why : undefined;
    await this.#stop(why === 'gone' ? 'in-peace' : 'now');
    this.#signal.throwIfAborted();
    if (why === 'gone') throw exited(cli.name, await cli.ended, 'before it answered initialize');
    if (why === 'refusal' || why === 'timed-out')
      throw new HooksUnsupportedError((error as ProtocolError).message, { cause: error });
    throw error;
  }

  /** Sends a prompt to the agent. */
  send(prompt: string | UserMessage): void {
    this.#life?.sent();
    this.#connected.send(typeof prompt === 'string' ? userMessage(prompt) : prompt);
  }
  /** No more prompts will follow. The input closes when no hook can fire any longer. */
  endInput(): void {
    this.#life?.done();
  }
  /** Resolves when every prompt so far has its result, or none will come. */
  answered = async (): Promise<void> => this.#life?.answered();
  /** Stops the turn, not the session. */
  interrupt = async (): Promise<void> => void (await this.request({ subtype: 'interrupt' }));
  /** Sends one control request. Resolves with the answer of the CLI. */
  request(body: LooseFields & { readonly subtype: string }): Promise<unknown> {
    return this.#connected.request(body);
  }
  /** Cancels running hooks and ends the CLI. */
  close(): Promise<void> {
    return this.#stop('in-peace');
  }

  [Symbol.asyncIterator](): AsyncIterator<Message> {
    return { next: () => this.#messages.next() };
  }

  get #connected(): ProtocolHandler {
    if (this.#protocol === undefined) throw misuse('not connected: call connect() first');
    return this.#protocol;
  }

  #speakTo(cli: CliProcess): ProtocolHandler {
    const { requests, requestTimeoutMs, maxFrameBytes, logger } = this.#options;
    const isAsked = this.#service.size > 0 || requests !== undefined;
    const protocol = new ProtocolHandler({
      service: this.#service,
      input: cli.output,
      output: cli.input,
      onMessage: (message) => this.#heard(message as Message), // every message has a type
      ...(requests && { requests }),
      ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
      ...(maxFrameBytes !== undefined && { maxFrameBytes }),
      ...(logger && { logger }),
    });
    this.#life = new InputLife(isAsked, () => protocol.endOutput());
    return protocol;
  }

  #heard(message: Message): void {
    if (message.type === 'result') this.#hasResult = true;
    this.#messages.push(message);
    this.#life?.saw(message);
  }

  readonly #abort = (): void => {
    this.#messages.end({ error: this.#signal.reason });
    void this.#stop('now');
  };

  #ended(end: CliEnd): void {
    this.#options.signal?.removeEventListener('abort', this.#abort);
    this.#life?.over();
    void this.#protocol?.close();
    const isEarly =
      !this.#hasResult && this.#closing === undefined && (end.code !== 0 || end.signal !== null);
    this.#messages.end(isEarly ? { error: exited(this.#cli!.name, end, 'before it gave a result') } : {});
  }

  #stop(manner: 'in-peace' | 'now'): Promise<void> {
    this.#closing ??= (async () => {
      this.#life?.over();
      await this.#protocol?.close();
      await this.#cli?.stop(manner);
      this.#messages.end();
    })();
    return this.#closing;
  }
}

const userMessage = (text: string): UserMessage => ({
  type: 'user',
  session_id: '',
  parent_tool_use_id: null,
  message: { role: 'user', content: text },
});

const misuse = (message: string): ProtocolError => new ProtocolError('misuse', message);
