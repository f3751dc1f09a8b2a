import type { HookRunner } from './runner.ts';
import { thrownLine } from './thrown-line.ts';
import type { Content, ToolCallEventResult, ToolResultEventResult } from './types/index.ts';

export interface WrappedToolResult {
  content: Content[];
  details?: unknown;
  isError?: boolean;
}
/** A tool of agents of this family. Other members are passed along. */
export interface WrappableTool<P = never, R extends WrappedToolResult = WrappedToolResult, U = never> {
  readonly name: string;
  execute(
    toolCallId: string,
    params: P,
    signal?: AbortSignal,
    onUpdate?: (update: U) => void,
    context?: never,
  ): R | Promise<R>;
}
/** Values that the agent passes to a tool besides its arguments. */
export interface CallContext {
  addAdditionalContext?(text: string): void;
}

const NO_REASON = 'Tool execution was blocked by a hook';

/**
 * Wraps a tool in hooks: `tool_call`, then the tool, then `tool_result`. A handler that blocks or fails keeps the tool
 * from running, and then there is no `tool_result`.
 */
export class HookToolWrapper<P, R extends WrappedToolResult, U = unknown> {
  readonly #tool: WrappableTool<P, R, U>;
  readonly #runner: HookRunner;

  constructor(tool: WrappableTool<P, R, U>, runner: HookRunner) {
    this.#tool = tool;
    this.#runner = runner;
    for (const key of keysOf(tool))
      if (!(key in this))
        Object.defineProperty(this, key, { get: () => memberOf(tool, key), enumerable: true });
  }

  get name(): string {
    return this.#tool.name;
  }

  async execute(
    toolCallId: string,
    params: P,
    signal?: AbortSignal,
    onUpdate?: (update: U) => void,
    context?: CallContext,
  ): Promise<R> {
    const call = await this.#ask(toolCallId, params, signal);
    const input = (call?.input as P | undefined) ?? params; // a replacement is used unchecked; its author is responsible for it
    let result: R;
    try {
      // The context belongs to the agent; a tool that uses it knows its type.
      result = await this.#tool.execute(toolCallId, input, signal, onUpdate, context as never);
    } catch (thrown) {
      const failure: WrappedToolResult = { content: [{ type: 'text', text: thrownLine(thrown) }] };
      const override = await this.#tell(toolCallId, input, { ...failure, details: undefined, isError: true });
      this.#deliver(override?.additionalContext, context);
      throw thrown;
    }
    const override = await this.#tell(toolCallId, input, result);
    this.#deliver(override?.additionalContext, context);
    if (result.isError !== true) this.#deliver(call?.additionalContext, context);
    return overridden(result, override);
  }

  async #ask(
    toolCallId: string,
    params: P,
    signal: AbortSignal | undefined,
  ): Promise<ToolCallEventResult | undefined> {
    if (!this.#runner.hasHandlers('tool_call')) return undefined;
    const input = params as Record<string, unknown>; // a tool's arguments are an object
    const event = { type: 'tool_call', toolName: this.name, toolCallId, input } as const;
    let answer: ToolCallEventResult | undefined;
    try {
      answer = await this.#runner.emitToolCall(event, { signal });
    } catch (thrown) {
      throw thrown instanceof Error
        ? thrown
        : new Error(`Hook failed, blocking execution: ${thrownLine(thrown)}`, { cause: thrown });
    }
    if (answer?.block)
      throw new Error(typeof answer.reason === 'string' && answer.reason !== '' ? answer.reason : NO_REASON);
    signal?.throwIfAborted();
    return answer;
  }

  /** Without handlers the event is not created. */
  async #tell(
    toolCallId: string,
    params: P,
    outcome: WrappedToolResult,
  ): Promise<ToolResultEventResult | undefined> {
    if (!this.#runner.hasHandlers('tool_result')) return undefined;
    return this.#runner.emit({
      type: 'tool_result',
      toolName: this.name,
      toolCallId,
      input: params as Record<string, unknown>, // a tool's arguments are an object
      content: outcome.content,
      details: outcome.details,
      isError: outcome.isError === true,
    });
  }

  #deliver(text: string | undefined, context: CallContext | undefined): void {
    if (text === undefined) return;
    if (context?.addAdditionalContext !== undefined) context.addAdditionalContext(text);
    else this.#runner.sendContext(text);
  }
}

/** Keeps fields without an answer and all others of the result, especially an error flag. */
const overridden = <R extends WrappedToolResult>(
  result: R,
  { content, details }: ToolResultEventResult = {},
): R =>
  content === undefined && details === undefined
    ? result
    : { ...result, ...(content !== undefined && { content }), ...(details !== undefined && { details }) };

/** A tool may be a class instance: its getters count, `constructor` does not. */
function keysOf(tool: object): string[] {
  const keys = new Set<string>();
  for (let at: object | null = tool; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const key of Object.getOwnPropertyNames(at)) keys.add(key);
  keys.delete('constructor');
  return [...keys];
}

/** Read on each access; a method stays bound to the tool. */
function memberOf(tool: object, key: string): unknown {
  const value: unknown = Reflect.get(tool, key);
  return typeof value === 'function' ? value.bind(tool) : value;
}
