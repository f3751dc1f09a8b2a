import type { HookContext } from '../dialect/hook-callback.ts';
import type { LazyAbort } from '../../../runners/lazy-abort.ts';

type KnownContext = Omit<HookContext, 'signal'>;

/** What the caller knows, else what the input says, else null: never undefined. Its signal is made when it is looked at. */
export class CallbackContext implements HookContext {
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
