import type { Hooks } from '../library/options.ts';
import type { ToolCall } from '../library/wrap-tool.ts';
import { isGenerator, streamed } from './streamed.ts';

/** As much of an AI SDK tool as is touched here, so that neither code nor types need `ai` to be installed. */
export interface AiTool {
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
}
export type AiTools = Readonly<Record<string, AiTool>>;

/** What the AI SDK hands to a tool besides its input; what is not named here passes through as it came. */
interface SdkOptions {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal;
}
type Execute = (input: object, options: SdkOptions) => unknown;
interface Call extends ToolCall {
  readonly options: SdkOptions;
}

export interface WrapOptions {
  /**
   * Called for a tool without `execute`: the provider or the client runs it, out of reach of any hook.
   * Without it a warning is emitted, because a guard that guards nothing must not look like one.
   */
  readonly onUnguarded?: (name: string) => void;
}

/**
 * The same tools, with hooks around every call: `tool.before` can refuse it or change its input, `tool.after` can
 * change its result, `tool.failed` hears of what went wrong. A refusal is thrown; the AI SDK tells the model.
 */
export function wrapTools<T extends AiTools>(
  tools: T,
  hooks: Pick<Hooks, 'wrapTool'>,
  options: WrapOptions = {},
): T {
  const wrapped = Object.entries(tools).map(([name, tool]) => {
    if (tool.execute === undefined) (options.onUnguarded ?? warn)(name);
    return [name, tool.execute === undefined ? tool : guarded(name, tool, hooks)];
  });
  // Every entry is its tool again, with another `execute` of the same type.
  return Object.fromEntries(wrapped) as T;
}

function guarded(name: string, tool: AiTool, { wrapTool }: Pick<Hooks, 'wrapTool'>): AiTool {
  // Bound, because the AI SDK calls it so; its parameter types are the tool's own affair.
  const run = (tool.execute as Execute).bind(tool);
  const hooked = (push?: (value: unknown) => void) =>
    wrapTool<object, unknown, Call>({
      name,
      execute: (input, call) => drained(run(input, call!.options), push),
    });
  const plain = hooked();
  const execute: Execute = isGenerator(tool.execute)
    ? (input, options) => streamed((push) => hooked(push).execute(input, callOf(options)))
    : (input, options) => plain.execute(input, callOf(options));
  // A copy by descriptors: a schema that is made when it is first read stays so.
  const { execute: was, ...own } = Object.getOwnPropertyDescriptors(tool);
  const descriptors = {
    ...own,
    execute: { enumerable: was?.enumerable ?? true, configurable: true, value: execute },
  };
  return Object.create(Object.getPrototypeOf(tool) as object | null, descriptors) as AiTool;
}

const callOf = (options: SdkOptions): Call => ({
  options,
  ids: { call: options.toolCallId },
  ...(options.abortSignal !== undefined && { signal: options.abortSignal }),
});

/**
 * A tool that streams has its last value as its result, as the AI SDK has it. That one is held back: what goes out
 * in its place is what the hooks make of it.
 */
async function drained(result: unknown, push: (value: unknown) => void = () => {}): Promise<unknown> {
  if (!isIterable(result)) return result;
  const last: unknown[] = [];
  for await (const value of result) if (last.push(value) > 1) push(last.shift());
  return last[0];
}

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

const warn = (name: string): void =>
  process.emitWarning(`the tool '${name}' has no execute function: hooks cannot guard it`, {
    type: 'AnyhookWarning',
    code: 'ANYHOOK_UNGUARDED_TOOL',
  });
