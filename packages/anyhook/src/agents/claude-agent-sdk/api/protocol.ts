import type { Readable, Writable } from 'node:stream';
import { isFields } from '../../../events/fields.ts';
import { NEVER } from '../../../events/signal.ts';
import type { LazyAbort } from '../../../runners/lazy-abort.ts';
import type { CodecName } from './codec.ts';
import { HooksUnsupportedError, ProtocolError } from './connection-errors.ts';
import type { LooseFields } from './frame.ts';
import { type Logger, logTo } from './log.ts';
import type { RequestEnd } from './own-requests.ts';
import { answerCallback, type HookService } from './service.ts';
import { Wire } from './wire.ts';

export interface ProtocolOptions {
  readonly service: HookService;
  readonly input: Readable;
  readonly output: Writable;
  /** `nested` is used by the real CLI. */
  readonly codec?: CodecName;
  /** Longer lines are refused unread; default: 64 MiB. */
  readonly maxFrameBytes?: number;
  /** Timeout of our own requests; default: 60 000. */
  readonly requestTimeoutMs?: number;
  readonly logger?: Logger;
  /** Handlers of further subtypes (`can_use_tool`, `mcp_message`). Requests without a handler get an error. */
  readonly requests?: Readonly<
    Record<string, (body: LooseFields, options: { signal: AbortSignal }) => unknown>
  >;
  /** Called for frames outside the control protocol: messages of the agent. */
  readonly onMessage?: (message: LooseFields) => void;
  readonly onGone?: (why: string) => void;
}

export const DEFAULT_MAX_FRAME_BYTES = 64 * 1024 * 1024;
export const DEFAULT_REQUEST_TIMEOUT_MS = 60_000;

/** The SDK's end of the control channel: answers `hook_callback` with the callbacks of a service. */
export class ProtocolHandler {
  readonly #options: ProtocolOptions;
  readonly #wire: Wire;

  constructor(options: ProtocolOptions) {
    const { input, output, codec = 'nested', maxFrameBytes = DEFAULT_MAX_FRAME_BYTES } = options;
    this.#options = options;
    this.#wire = new Wire({
      input,
      output,
      codec,
      maxFrameBytes,
      log: logTo(options.logger ?? options.service.logger),
      answer: (subtype, body, abort) => this.#answer(subtype, body, abort),
      onMessage: options.onMessage,
      onGone: options.onGone,
    });
  }

  /** Starts to read and answer. Sends no requests. */
  start(): void {
    this.#wire.start();
  }

  /** Registers the callbacks with the CLI. Resolves with its answer, and rejects if it cannot apply the hooks. */
  async initialize(more: LooseFields = {}, signal: AbortSignal = NEVER): Promise<LooseFields> {
    this.start();
    const { matchers } = this.#options.service;
    const reply = await this.request(
      { subtype: 'initialize', ...this.#wire.codec.hooks(matchers), ...more },
      signal,
    );
    const answer = isFields(reply) ? reply : {};
    const fault = this.#options.codec === 'flat' ? null : unkept(answer, matchers.some(blocksOnFailure));
    if (fault !== null) throw new HooksUnsupportedError(fault);
    return answer;
  }

  /** Sends one request (`interrupt`, `set_model`, …). */
  async request(
    body: LooseFields & { readonly subtype: string },
    signal: AbortSignal = NEVER,
  ): Promise<unknown> {
    const { requestTimeoutMs: timeoutMs = DEFAULT_REQUEST_TIMEOUT_MS } = this.#options;
    const settled = await this.#wire.ask(body, { timeoutMs, signal });
    if (settled.kind === 'answer') return settled.value;
    const message = `${body.subtype}: ${WHY[settled.kind](settled as never, timeoutMs)}`;
    throw new ProtocolError(settled.kind, message, signal.aborted ? { cause: signal.reason } : undefined);
  }

  /** Sends a message without an answer, such as a user prompt. */
  send(message: LooseFields): void {
    this.#wire.send(message);
  }

  /** No more messages will follow. Pending output is written first. */
  endOutput(): void {
    this.#wire.endOutput();
  }

  /** Cancels all running hooks. The streams stay open, because they belong to the caller. */
  close(): Promise<void> {
    return this.#wire.close();
  }
  /** Number of requests that are being answered. */
  get inFlight(): number {
    return this.#wire.size;
  }

  #answer(subtype: string, body: LooseFields, abort: LazyAbort): unknown {
    if (subtype === 'hook_callback') return this.#callback(body, abort);
    const { requests = {} } = this.#options;
    if (Object.hasOwn(requests, subtype)) return requests[subtype]!(body, { signal: abort.signal });
    throw new ProtocolError('misuse', `unsupported control request subtype: ${subtype || '(none)'}`);
  }

  #callback(body: LooseFields, abort: LazyAbort): unknown {
    const { callback_id: id, input = {}, tool_use_id: toolUseId } = body;
    if (typeof id !== 'string') throw new ProtocolError('misuse', 'hook_callback: callback_id is missing');
    if (!isFields(input)) throw new ProtocolError('misuse', `hook_callback ${id}: input is not an object`);
    const tool = typeof toolUseId === 'string' ? toolUseId : null;
    return answerCallback(this.#options.service, { id, input, toolUseId: tool, abort });
  }
}

const blocksOnFailure = ({ entry }: HookService['matchers'][number]): boolean =>
  entry.onFailure === 'block' || entry.onFailure === 'ask';

/** A guard that must refuse on failure must not run in a CLI without support for that. */
function unkept(answer: LooseFields, mustBlock: boolean): string | null {
  if (answer['hooks_applied'] === false) return 'it did not register our hooks (hooks_applied is false)';
  if (mustBlock && answer['hook_on_failure_supported'] !== true)
    return 'a matcher has onFailure: "block", which this version does not support';
  return null;
}

const WHY: {
  readonly [K in Exclude<RequestEnd['kind'], 'answer'>]: (
    settled: Extract<RequestEnd, { kind: K }>,
    timeoutMs: number,
  ) => string;
} = {
  refusal: ({ message }) => message,
  'timed-out': (_settled, timeoutMs) => `no answer in ${timeoutMs} ms`,
  aborted: () => 'aborted',
  gone: ({ message }) => message,
};
