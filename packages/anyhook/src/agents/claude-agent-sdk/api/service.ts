import type { HookEvent } from '../dialect/hook-event.ts';
import type { HooksByEvent, PublishedHooks, HookContext } from '../dialect/hook-callback.ts';
import type { HookJSONOutput } from '../dialect/hook-output.ts';
import { readCallbackHooks } from '../dialect/read-hooks.ts';
import { NEVER } from '../../../events/signal.ts';
import { type Problem, show } from '../../../events/problems.ts';
import { release, wait } from '../../../runners/deadline.ts';
import { UnknownCallbackError } from './errors.ts';
import { execute } from './execute.ts';
import { LazyAbort } from '../../../runners/lazy-abort.ts';
import { type WarnLog, type Logger, logTo } from './log.ts';
import { outputOf } from './output-of.ts';
import { Registry, type RegisteredMatcher } from './registry.ts';
import type { ExecuteOptions, LateResult, ServiceOptions } from './types.ts';

type KnownContext = Omit<HookContext, 'signal'>;

/** What the caller knows, else what the input says, else null: never undefined. Its signal is made when it is looked at. */
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

  /** Of each context itself, or `{ ...context }` would lose it; and one getter for all, or V8 gives each context a shape of its own. */
  static readonly #signal: PropertyDescriptor & ThisType<CallbackContext> = {
    enumerable: true,
    get() {
      return this.#abort.signal;
    },
  };
}

const text = (said: unknown): string | null => (typeof said === 'string' ? said : null);

export const SERVICE_TIMEOUT_MS = 30_000;
/** Late results that are kept; older ones have been logged. */
const KEPT = 100;

const NOTHING = {};

export interface AskedCallback {
  readonly id: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly toolUseId: string | null;
  readonly abort: LazyAbort;
}
let run: (service: HookService, asked: AskedCallback) => HookJSONOutput | Promise<HookJSONOutput>;
/** For the channel: it has an abort of its own, and waits only where the callback does. Throws what `executeCallback` rejects with. */
export const answerCallback: typeof run = (service, asked) => run(service, asked);

/** Callbacks under ids, and the one door through which they are called. */
export class HookService {
  /** Also its protocol's, where that was given none of its own. */
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

  /** The ids that were given out, each with its event. What could not be registered is in `problems`. */
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
   * Rejects with a `HookTimeoutError`, `HookCancelledError`, `UnknownCallbackError`, `HookPanicError` or
   * `InvalidHookOutputError`, and with nothing else.
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

  /** Answers at once where the callback does. */
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

  /** Results that came too late and were dropped; the last hundred. */
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
  /** Every id with its event: what the flat `initialize` sends. */
  get callbacks(): Readonly<Record<string, HookEvent>> {
    return this.#registry.events;
  }
  /** Every matcher with its ids: what the nested `initialize` sends. */
  get matchers(): readonly RegisteredMatcher[] {
    return this.#registry.matchers;
  }
}
