import { type Problem, show } from '../../../events/problems.ts';
import { NEVER } from '../../../events/signal.ts';
import { release, wait } from '../../../runners/deadline.ts';
import { LazyAbort } from '../../../runners/lazy-abort.ts';
import type { HooksByEvent, PublishedHooks, HookContext } from '../dialect/hook-callback.ts';
import type { HookEvent } from '../dialect/hook-event.ts';
import type { HookJSONOutput } from '../dialect/hook-output.ts';
import { readCallbackHooks } from '../dialect/read-hooks.ts';
import { UnknownCallbackError } from './errors.ts';
import { execute } from './execute.ts';
import { type WarnLog, type Logger, logTo } from './log.ts';
import { outputOf } from './output-of.ts';
import { Registry, type RegisteredMatcher } from './registry.ts';
import type { ExecuteOptions, LateResult, ServiceOptions } from './types.ts';

type KnownContext = Omit<HookContext, 'signal'>;

/** The callback context: each value from the caller, else from the input, else null. The signal is created when read. */
class CallbackContext implements HookContext {
  declare readonly signal: AbortSignal;
  readonly sessionId: string | null;
  readonly transcriptPath: string | null;
  readonly cwd: string | null;
  readonly permissionMode: string | null;
  readonly #abort: LazyAbort;

  constructor(input: Readonly<Record<string, unknown>>, given: Partial<KnownContext>, abort: LazyAbort) {
    this.#abort = abort;
    Object.defineProperty(this, 'signal', CallbackContext.#signal);
    this.sessionId = text(given.sessionId ?? input['session_id']);
    this.transcriptPath = text(given.transcriptPath ?? input['transcript_path']);
    this.cwd = text(given.cwd ?? input['cwd']);
    this.permissionMode = text(given.permissionMode ?? input['permission_mode']);
  }

  /** An own property, or `{ ...context }` would lose it. One shared getter, or V8 creates a shape per context. */
  static readonly #signal: PropertyDescriptor & ThisType<CallbackContext> = {
    enumerable: true,
    get() {
      return this.#abort.signal;
    },
  };
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

export const SERVICE_TIMEOUT_MS = 30_000;
/** Maximum number of kept late results. All were logged. */
const KEPT = 100;

const NOTHING = {};

export interface AskedCallback {
  readonly id: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly toolUseId: string | null;
  readonly abort: LazyAbort;
}
let run: (service: HookService, asked: AskedCallback) => HookJSONOutput | Promise<HookJSONOutput>;
/** For the channel, which has its own abort. Synchronous if the callback is. Throws the errors of `executeCallback`. */
export const answerCallback: typeof run = (service, asked) => run(service, asked);

/** Callbacks by id, and the only entry point for calling them. */
export class HookService {
  /** Also used by its protocol if that has no logger. */
  readonly logger: Logger | undefined;
  readonly #registry: Registry;
  readonly #timeoutMs: number;
  readonly #log: WarnLog;
  readonly #onLate: ServiceOptions['onLate'];
  readonly #late: LateResult[] = [];
  readonly #problems: Problem[] = [];

  constructor({ firstId = 1, timeoutMs = SERVICE_TIMEOUT_MS, logger, onLate }: ServiceOptions = {}) {
    this.#registry = new Registry(firstId);
    this.#timeoutMs = timeoutMs;
    this.logger = logger;
    this.#log = logTo(logger);
    this.#onLate = onLate;
  }

  /** Returns the assigned ids with their events. Invalid hooks are in `problems`. */
  registerHooks(hooks: HooksByEvent | null | undefined): Record<string, HookEvent>;
  registerHooks(hooks: PublishedHooks): Record<string, HookEvent>;
  registerHooks(hooks: HooksByEvent | PublishedHooks | null | undefined): Record<string, HookEvent> {
    const { entries, problems } = readCallbackHooks(hooks);
    for (const problem of problems) this.#log(problem.severity === 'error' ? 'error' : 'warn', show(problem));
    this.#problems.push(...problems);
    const added = entries.flatMap((entry) => this.#registry.add(entry));
    return Object.fromEntries(added.map(({ id, event }) => [id, event]));
  }

  /**
   * Rejects only with a `HookTimeoutError`, `HookCancelledError`, `UnknownCallbackError`, `HookPanicError` or
   * `InvalidHookOutputError`.
   */
  async executeCallback(
    id: string,
    input: Readonly<Record<string, unknown>>,
    toolUseId: string | null = null,
    { signal = NEVER, timeoutMs, context = {} }: ExecuteOptions = {},
  ): Promise<HookJSONOutput> {
    const abort = new LazyAbort();
    const following = wait({ timeoutMs: Infinity, signal }, () => abort.abort(signal.reason));
    try {
      return await this.#run({ id, input, toolUseId, abort }, context, timeoutMs);
    } finally {
      release(following);
    }
  }

  /** Synchronous if the callback is. */
  #run(
    { id, input, toolUseId, abort }: AskedCallback,
    context: NonNullable<ExecuteOptions['context']>,
    timeoutMs?: number,
  ): HookJSONOutput | Promise<HookJSONOutput> {
    const registered = this.#registry.get(id);
    if (registered === undefined) {
      const error = new UnknownCallbackError(id, this.#registry.size);
      this.#log('warn', error.message, { callbackId: id });
      throw error;
    }
    return execute(
      {
        registered,
        input,
        toolUseId,
        context: new CallbackContext(input, context, abort),
        timeoutMs: timeoutMs ?? registered.entry.timeoutMs ?? this.#timeoutMs,
        abort,
        onLate: this.#heardLate,
      },
      (ended) => outputOf(ended, registered, this.#log),
    );
  }
  static {
    run = (service, asked) => service.#run(asked, NOTHING);
  }

  readonly #heardLate = (late: LateResult): void => {
    this.#log('warn', `late result of ${late.callbackId} dropped`, { ...late });
    if (this.#late.push(late) > KEPT) this.#late.shift();
    try {
      this.#onLate?.(late);
    } catch (error) {
      this.#log('error', 'onLate threw', { error });
    }
  };

  /** The last hundred results that came too late. */
  get late(): readonly LateResult[] {
    return this.#late;
  }
  get problems(): readonly Problem[] {
    return this.#problems;
  }
  /** How many callbacks are registered. */
  get size(): number {
    return this.#registry.size;
  }
  /** Event by id: sent in the flat `initialize`. */
  get callbacks(): Readonly<Record<string, HookEvent>> {
    return this.#registry.events;
  }
  /** Matchers with their ids: sent in the nested `initialize`. */
  get matchers(): readonly RegisteredMatcher[] {
    return this.#registry.matchers;
  }
}
