import type { Readable, Writable } from 'node:stream';
import type { Problem } from '../../../events/problems.ts';
import { NEVER } from '../../../events/signal.ts';
import type { HooksByEvent } from '../dialect/hook-callback.ts';
import type { HookJSONOutput } from '../dialect/hook-output.ts';
import type { CodecName } from './codec.ts';
import { ProtocolError } from './connection-errors.ts';
import { UnknownCallbackError } from './errors.ts';
import type { LooseFields } from './frame.ts';
import { type WarnLog, type Logger, logTo } from './log.ts';
import { type PeerHooks, peerHooks } from './peer-hooks.ts';
import { DEFAULT_MAX_FRAME_BYTES } from './protocol.ts';
import { mayRetry, remoteOutput } from './remote-output.ts';
import { Wire } from './wire.ts';

export interface PeerOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly codec?: CodecName;
  /** For a matcher without a timeout: the documented default of the SDKs, 60 000. */
  readonly timeoutMs?: number;
  /** How often a failed callback is called again within its timeout; default: 0. */
  readonly retries?: number;
  readonly maxFrameBytes?: number;
  readonly logger?: Logger;
  /** Additional fields of our answer to `initialize`. */
  readonly about?: LooseFields;
  /** Called for frames outside the control protocol: user messages from the SDK. */
  readonly onMessage?: (message: LooseFields) => void;
  readonly onGone?: (why: string) => void;
}
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** Fields that an SDK requires before it continues. */
const ABOUT: LooseFields = {
  commands: [],
  agents: [],
  models: [],
  account: {},
  output_style: 'default',
  available_output_styles: ['default'],
};

/** The CLI's end of the control channel: calls callbacks that another SDK registered. */
export class CallbackPeer {
  readonly #options: PeerOptions;
  readonly #wire: Wire;
  readonly #log: WarnLog;
  #known: PeerHooks | undefined;
  readonly #ready: Promise<HooksByEvent>;
  #begin!: (hooks: HooksByEvent) => void;
  #fail!: (error: Error) => void;

  constructor(options: PeerOptions) {
    const { input, output, codec = 'nested', maxFrameBytes = DEFAULT_MAX_FRAME_BYTES } = options;
    this.#options = options;
    this.#log = logTo(options.logger);
    this.#ready = new Promise((begin, fail) => ([this.#begin, this.#fail] = [begin, fail]));
    this.#ready.catch(() => undefined); // whoever awaits it handles the error
    this.#wire = new Wire({
      input,
      output,
      codec,
      maxFrameBytes,
      log: this.#log,
      answer: (subtype, body) => this.#answer(subtype, body),
      onMessage: options.onMessage,
      onGone: (why) => {
        this.#fail(new ProtocolError('gone', `initialize never came: ${why}`));
        options.onGone?.(why);
      },
    });
  }

  start(): void {
    this.#wire.start();
  }
  /** Resolves when the peer has registered its callbacks, with the value for `createHooks({ sdk })`. */
  ready(): Promise<HooksByEvent> {
    this.start();
    return this.#ready;
  }
  /** Problems in the registered hooks. */
  get problems(): readonly Problem[] {
    return this.#known?.problems ?? [];
  }

  /** Calls one callback. Rejects with the same errors as `HookService.executeCallback`. */
  async call(
    id: string,
    input: LooseFields,
    toolUseId: string | null = null,
    { signal = NEVER, timeoutMs = this.#timeoutMs }: CallOptions = {},
  ): Promise<HookJSONOutput> {
    const event = this.#known?.events.get(id);
    if (event === undefined) throw new UnknownCallbackError(id, this.#known?.events.size ?? 0);
    const until = performance.now() + timeoutMs;
    const body = {
      subtype: 'hook_callback',
      callback_id: id,
      input,
      ...(toolUseId !== null && { tool_use_id: toolUseId }),
    };
    for (let left = this.#options.retries ?? 0; ; left--) {
      const settled = await this.#wire.ask(body, { timeoutMs: until - performance.now(), signal });
      if (left <= 0 || !mayRetry(settled)) return remoteOutput(settled, { id, event, timeoutMs, signal });
      this.#log('warn', `callback ${id} (${event}) failed and is asked again`, { settled });
    }
  }

  /** A message of the agent, for the SDK's stream. */
  send(message: LooseFields): void {
    this.#wire.send(message);
  }
  /** Cancels running calls without waiting for them. */
  close(): Promise<void> {
    this.#fail(new ProtocolError('gone', 'the channel was closed'));
    return this.#wire.close();
  }

  get #timeoutMs(): number {
    return this.#options.timeoutMs ?? 60_000;
  }

  #answer(subtype: string, body: LooseFields): unknown {
    if (subtype !== 'initialize')
      throw new ProtocolError('misuse', `unsupported control request subtype: ${subtype || '(none)'}`);
    const isFirst = this.#known === undefined;
    if (isFirst) this.#learn(body);
    return {
      ...ABOUT,
      ...this.#options.about,
      // The hooks of a session are frozen: a second set is reported as not applied.
      hooks_applied: isFirst,
      hook_on_failure_supported: true,
    };
  }

  #learn(body: LooseFields): void {
    this.#known = peerHooks(
      body,
      (id) =>
        (input, toolUseId, { signal }) =>
          this.call(id, input as unknown as LooseFields, toolUseId, { signal, timeoutMs: Infinity }), // the hook has its own timeout
      this.#timeoutMs,
    );
    const { hooks } = this.#known;
    setImmediate(() => this.#begin(hooks)); // the answer to `initialize` is sent before the first call
  }
}
