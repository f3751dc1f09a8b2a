import { copyPlain } from '../../../events/copy.ts';
import type { Services, Log } from '../../../events/services.ts';
import { bindHost } from './bind-host.ts';
import { commandContext, hookContext, type RunnerScene } from './hook-context.ts';
import { callListener, type CallTerms, listenersOf } from './hook-listener.ts';
import { thrownLine } from './thrown-line.ts';
import { tallyCall, withInput } from './tool-call.ts';
import { tallyLastResult, tallyResult } from './tool-result.ts';
import type {
  BeforeAgentStartEvent,
  BeforeAgentStartEventResult,
  ContextEventResult,
  HookCommandContext,
  HookContext,
  HookError,
  HookErrorListener,
  HookEvent,
  HookEventName,
  HookMessageRenderer,
  HookResultOf,
  HookUIContext,
  ImageContent,
  LoadedHook,
  Message,
  RegisteredCommand,
  SessionBeforeSwitchResult,
  ToolCallEvent,
  ToolCallEventResult,
  ToolResultEvent,
  ToolResultEventResult,
} from './types/index.ts';
import { uiContext } from './ui-context.ts';

export interface RunnerOptions {
  readonly cwd: string;
  /** Services of the host for hooks. Without services `sendMessage` and `appendEntry` throw, and there is no UI. */
  readonly services?: Services;
  readonly model?: () => unknown;
  readonly modelRegistry?: unknown;
  /**
   * Timeout for each handler, not counting the time that a dialog is open; anything but a positive number means the
   * default.
   */
  readonly timeoutMs?: number;
  /**
   * Follows the document literally: the last `tool_result` replaces all others, and a returned `input` or context is
   * ignored.
   */
  readonly seedStrict?: boolean;
}
export interface RunnerEmitOptions {
  /** Aborts waiting for handlers and closes their dialogs. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs the handlers of loaded modules one after another, in the order of modules, then of registration. */
export class HookRunner {
  readonly #hooks: readonly LoadedHook[];
  readonly #options: RunnerOptions;
  readonly #listeners: ErrorListeners = errorListeners(() => this.#services.log);
  #services: Services;
  #ui: HookUIContext;

  constructor(hooks: readonly LoadedHook[], options: RunnerOptions) {
    this.#hooks = hooks;
    this.#options = options;
    this.#services = options.services ?? {};
    this.#ui = uiContext(this.#services.ui);
    if (options.services !== undefined) this.initialize(options.services);
  }

  /** For a host whose services are created after its hooks are loaded. */
  initialize(services: Services): void {
    this.#services = services;
    this.#ui = uiContext(services.ui);
    for (const hook of this.#hooks) bindHost(hook, services, this.#options.cwd);
  }

  /** Returns the combined result of the event's handlers. Failing handlers are reported and skipped. */
  async emit<N extends HookEventName>(
    event: Extract<HookEvent, { type: N }>,
    options: RunnerEmitOptions = {},
  ): Promise<HookResultOf<N> | undefined> {
    // The table defines which result belongs to which event, and each branch below handles its own.
    return (await this.#emit(event as HookEvent, options)) as HookResultOf<N> | undefined;
  }

  /** Rejects if a handler fails. The caller must not run the tool then. */
  async emitToolCall(
    event: ToolCallEvent,
    options: RunnerEmitOptions = {},
  ): Promise<ToolCallEventResult | undefined> {
    const tally = tallyCall(this.#options.seedStrict === true);
    const ctx = this.#context();
    for (const listener of listenersOf(this.#hooks, 'tool_call')) {
      const shown = { ...event, input: copyPlain(event.input) };
      const answer = await callListener(listener, shown, ctx, this.#terms(options));
      if (tally.take(withInput(listener.hook, answer, shown.input, event.input))) break;
    }
    return tally.result;
  }

  /**
   * Chained: each handler receives the messages as changed by the previous one. The caller's messages stay unchanged.
   */
  async emitContext(messages: Message[], options: RunnerEmitOptions = {}): Promise<Message[]> {
    let sofar = messages;
    await this.#each(
      'context',
      () => ({ type: 'context', messages: copyPlain(sofar) }),
      options,
      (answer) => {
        const { messages: made } = (answer || {}) as ContextEventResult;
        if (made === undefined) return;
        if (!Array.isArray(made))
          throw new TypeError('a context handler returned messages that are not a list');
        sofar = made;
      },
    );
    return sofar;
  }

  /** The first message is kept; later handlers still run. */
  async emitBeforeAgentStart(
    prompt: string,
    images?: ImageContent[],
    options: RunnerEmitOptions = {},
  ): Promise<BeforeAgentStartEventResult | undefined> {
    const event = { type: 'before_agent_start', prompt, ...(images && { images }) } as const;
    return await this.#emitBeforeAgentStart(event, options);
  }

  /** The first message counts. Each handler receives the system prompt as changed by earlier ones. */
  async #emitBeforeAgentStart(
    event: BeforeAgentStartEvent,
    options: RunnerEmitOptions,
  ): Promise<BeforeAgentStartEventResult | undefined> {
    let merged: BeforeAgentStartEventResult | undefined;
    const shown = () => ({
      ...copyPlain(event),
      ...(merged?.systemPrompt && { systemPrompt: merged.systemPrompt }),
    });
    await this.#each('before_agent_start', shown, options, (answer) => {
      const { message, systemPrompt } = (answer || {}) as BeforeAgentStartEventResult;
      if (message !== undefined) merged = { message, ...merged };
      if (systemPrompt !== undefined) merged = { ...merged, systemPrompt };
    });
    return merged;
  }

  /** The command of the first module that has it. */
  getCommand(name: string): RegisteredCommand | undefined {
    return this.#first((hook) => hook.commands.get(name));
  }
  /** All commands, including duplicates of several modules. */
  getRegisteredCommands(): RegisteredCommand[] {
    return this.#hooks.flatMap((hook) => [...hook.commands.values()]);
  }
  getMessageRenderer(customType: string): HookMessageRenderer | undefined {
    return this.#first((hook) => hook.messageRenderers.get(customType));
  }
  hasHandlers(eventType: string): boolean {
    return this.#hooks.some((hook) => (hook.handlers.get(eventType)?.length ?? 0) > 0);
  }
  /** Returns a function that removes the listener. */
  onError(listener: HookErrorListener): () => void {
    return this.#listeners.add(listener);
  }
  createCommandContext(): HookCommandContext {
    return commandContext(this.#scene());
  }
  getCwd(): string {
    return this.#options.cwd;
  }
  getHookPaths(): string[] {
    return this.#hooks.map(({ path }) => path);
  }
  getUIContext(): HookUIContext {
    return this.#ui;
  }
  getHasUI(): boolean {
    return this.#services.ui !== undefined;
  }

  /** Sends a text to the model for a hook whose tool call has ended, if the agent has no better way. */
  sendContext(text: string): void {
    const { messages } = this.#services;
    if (messages !== undefined) messages.send({ customType: 'hook-context', content: text, display: false });
    else this.#services.log?.('warn', `context from a hook could not be delivered: ${text}`);
  }

  emitError(error: HookError): void {
    this.#listeners.tell(error);
  }

  async #emit(event: HookEvent, options: RunnerEmitOptions): Promise<unknown> {
    switch (event.type) {
      case 'tool_call':
        return this.emitToolCall(event, options);
      case 'tool_result':
        return this.#emitToolResult(event, options);
      case 'context':
        return this.hasHandlers('context')
          ? { messages: await this.emitContext(event.messages, options) }
          : undefined;
      case 'before_agent_start':
        return this.#emitBeforeAgentStart(event, options);
      default:
        return this.#emitLast(event, options);
    }
  }

  async #emitToolResult(
    event: ToolResultEvent,
    options: RunnerEmitOptions,
  ): Promise<ToolResultEventResult | undefined> {
    const tally = this.#options.seedStrict === true ? tallyLastResult(event) : tallyResult(event);
    await this.#each(
      'tool_result',
      () => tally.shown,
      options,
      (answer) => tally.take(answer),
    );
    return tally.result;
  }

  /** The latest answer counts, on events with answers; `cancel` ends the event. */
  async #emitLast(event: HookEvent, options: RunnerEmitOptions): Promise<unknown> {
    let last: unknown;
    const isAnswered = event.type === 'session.compacting' || event.type.startsWith('session_before_');
    await this.#each(
      event.type,
      () => event,
      options,
      (answer) => {
        if (!isAnswered || !answer) return undefined;
        last = answer;
        return event.type !== 'session.compacting' && (answer as SessionBeforeSwitchResult).cancel
          ? 'stop'
          : undefined;
      },
    );
    return last;
  }

  async #each(
    type: HookEventName,
    event: () => object,
    options: RunnerEmitOptions,
    take: (answer: unknown) => 'stop' | undefined | void,
  ): Promise<void> {
    const ctx = this.#context();
    for (const listener of listenersOf(this.#hooks, type)) {
      try {
        if (take(await callListener(listener, event(), ctx, this.#terms(options))) === 'stop') return;
      } catch (thrown) {
        this.emitError({ hookPath: listener.hook.path, event: type, error: thrownLine(thrown) });
      }
    }
  }

  #terms({ signal }: RunnerEmitOptions): CallTerms {
    return { timeoutMs: this.#options.timeoutMs, signal };
  }
  #first<T>(pick: (hook: LoadedHook) => T | undefined): T | undefined {
    for (const hook of this.#hooks) {
      const found = pick(hook);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  #context(): HookContext {
    return hookContext(this.#scene());
  }
  #scene(): RunnerScene {
    const { cwd, model = () => undefined, modelRegistry } = this.#options;
    return { cwd, services: this.#services, ui: this.#ui, model, modelRegistry };
  }
}

interface ErrorListeners {
  /** Returns a function that removes the listener. */
  add(listener: HookErrorListener): () => void;
  /** Notifies all listeners, even after one throws. Without listeners it writes to the host's log. */
  tell(error: HookError): void;
}

function errorListeners(log: () => Log | undefined): ErrorListeners {
  const listeners = new Set<HookErrorListener>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(error) {
      for (const listener of listeners)
        try {
          listener(error);
        } catch (thrown) {
          log()?.('error', `an error listener failed: ${thrownLine(thrown)}`);
        }
      if (listeners.size === 0) log()?.('warn', `${error.hookPath}: ${error.event}: ${error.error}`);
    },
  };
}
