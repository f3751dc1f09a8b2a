import type { Fields } from '../../events/effects.ts';
import type { Ids } from '../../events/event.ts';
import type { Outcome } from '../../events/outcome.ts';
import type { Hooks } from '../../library/hooks.ts';
import type { ToolCall } from '../../library/wrap-tool.ts';
import { sayLost } from '../shared/say-lost.ts';
import { warn as warnAbout } from '../shared/warn.ts';
import { type Approvals, isApproved, makeApprovals, rememberApprovals } from './approvals.ts';
import { keepContext } from './kept-context.ts';
import type { AiTool, AiTools, Execute, SdkOptions } from './sdk.ts';

/** Runs a call that streams intermediate values and then returns its result. */
async function* streamed(
  call: (push: (value: unknown) => void) => Promise<unknown>,
): AsyncGenerator<unknown, void> {
  const waiting: unknown[] = [];
  let wake = () => {};
  let ended = false;
  const result = call((value) => {
    waiting.push(value);
    wake();
  }).finally(() => {
    ended = true;
    wake();
  });
  // Handled below. A reader that stops early must not cause an unhandled rejection.
  result.catch(() => {});
  while (!ended || waiting.length > 0) {
    if (waiting.length > 0) yield waiting.shift();
    else await new Promise<void>((resolve) => (wake = resolve));
  }
  yield await result;
}

/** Only a generator function declares in advance that it streams. */
const isGenerator = (fn: unknown): boolean =>
  Object.prototype.toString.call(fn) === '[object AsyncGeneratorFunction]';

interface Call extends ToolCall {
  readonly options: SdkOptions;
  /** Called when the tool runs: texts that accompanied a question then count. */
  readonly started: () => void;
}

export interface WrapOptions {
  /** Ids for each event. The id of the call is added. */
  readonly ids?: Partial<Ids>;
  /**
   * Called for a tool without `execute`, which the provider or the client runs out of reach of hooks. By default a warning is
   * emitted, because such a tool must not look guarded.
   */
  readonly onUnguarded?: (name: string) => void;
  /**
   * `true` if your program answers the AI SDK's tool approval requests. Questions of hooks then become such requests. Otherwise
   * they go to `services.ui.confirm`, or refuse the call if there is none.
   */
  readonly approvals?: true;
  /** Receives every outcome of every call. Without it, lost effects become warnings. */
  readonly onOutcome?: (outcome: Outcome) => void;
}
type Wrapping = Pick<Hooks, 'wrapTool' | 'fire'> & Partial<Pick<Hooks, 'problems'>>;

/**
 * Wraps tools so that hooks surround every call: `tool.before` can refuse it or change its input, `tool.after` can change its
 * result, `tool.failed` sees errors. A refusal throws, and the AI SDK passes it to the model.
 */
export function wrapTools<T extends AiTools>(tools: T, hooks: Wrapping, options: WrapOptions = {}): T {
  warnOfNeverCalled(hooks);
  const wrapped = Object.entries(tools).map(([name, tool]) => {
    if (tool.execute === undefined) (options.onUnguarded ?? warn)(name);
    return [name, tool.execute === undefined ? tool : guarded(name, tool, hooks, options)];
  });
  // Each entry keeps its type; only `execute` is replaced.
  return Object.fromEntries(wrapped) as T;
}

function guarded(name: string, tool: AiTool, hooks: Wrapping, options: WrapOptions): AiTool {
  // Bound, as the AI SDK calls it. Its parameter types belong to the tool.
  const run = (tool.execute as Execute).bind(tool);
  const approvals = options.approvals === true ? makeApprovals(name, tool, hooks, options) : undefined;
  if (approvals) rememberApprovals(approvals);
  const callOf = callsWith(hooks, options, approvals);
  const hooked = (push?: (value: unknown) => void) =>
    hooks.wrapTool<object, unknown, Call>({
      name,
      execute: (input, call) => {
        call!.started();
        return drained(run(input, call!.options), push);
      },
    });
  const plain = hooked();
  const execute: Execute = isGenerator(tool.execute)
    ? (input, more) => streamed((push) => hooked(push).execute(input, callOf(more)))
    : (input, more) => plain.execute(input, callOf(more));
  return withOwn(tool, { execute, ...(approvals && { needsApproval: approvals.needsApproval }) });
}

/** Copies property descriptors, so that lazy schemas stay lazy. */
function withOwn(tool: AiTool, ours: AiTool): AiTool {
  const own = Object.getOwnPropertyDescriptors(tool) as Record<string, PropertyDescriptor>;
  const values = Object.entries(ours).map(([key, value]) => [
    key,
    { enumerable: own[key]?.enumerable ?? true, configurable: true, value },
  ]);
  return Object.create(Object.getPrototypeOf(tool) as object | null, {
    ...own,
    ...Object.fromEntries(values),
  }) as AiTool;
}

const callsWith =
  (hooks: Wrapping, { ids, onOutcome = sayLost }: WrapOptions, approvals: Approvals | undefined) =>
  (options: SdkOptions): Call => {
    const { toolCallId: call, messages = [], abortSignal } = options;
    const before = approvals?.judged(call);
    let asked: Outcome | undefined;
    const keep = (outcome: Outcome) => {
      if (outcome.proceed === 'ask') asked = outcome;
      else keepContext(hooks, call, outcome);
    };
    if (before !== undefined) keep(before);
    return {
      options,
      started: () => asked && keepContext(hooks, call, asked),
      ids: { ...ids, call },
      ...(abortSignal !== undefined && { signal: abortSignal }),
      ...(before !== undefined && { before }),
      ...(approvals && { isApproved: (input: Fields) => isApproved(messages, call, input) }),
      onOutcome: (outcome) => {
        keep(outcome);
        onOutcome(outcome);
      },
    };
  };

/** The last value of a streaming tool is its result, as in the AI SDK. It is held back and replaced by what hooks return. */
async function drained(result: unknown, push: (value: unknown) => void = () => {}): Promise<unknown> {
  if (!isIterable(result)) return result;
  const last: unknown[] = [];
  for await (const value of result) if (last.push(value) > 1) push(last.shift());
  return last[0];
}

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** The AI SDK has no prompt or stop event for hooks. Warned once per hooks object. */
const warned = new WeakSet<Wrapping>();
function warnOfNeverCalled(hooks: Wrapping): void {
  if (warned.has(hooks)) return;
  warned.add(hooks);
  for (const { code, file, message, remedy = '' } of hooks.problems ?? [])
    if (code === 'never-called') warnAbout(file, `${message} ${remedy}`.trim());
}

const warn = (name: string): void =>
  process.emitWarning(`the tool '${name}' has no execute function: hooks cannot guard it`, {
    type: 'AnyhookWarning',
    code: 'ANYHOOK_UNGUARDED_TOOL',
  });
