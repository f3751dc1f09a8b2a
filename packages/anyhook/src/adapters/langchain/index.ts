/**
 * `anyhook/langchain`: hooks around the tools of LangChain agents and deepagents, as middleware. Needs no import of LangChain:
 * the program passes the two values that are needed.
 */

import { same } from '../../events/changes.ts';
import type { Fields } from '../../events/effects.ts';
import { isFields } from '../../events/fields.ts';
import type { Hooks } from '../../library/hooks.ts';
import { type AdapterOptions, callWithHooks, withTexts } from '../shared/call-with-hooks.ts';

export { AI_SDK_CAN as LANGCHAIN_CAN } from '../ai-sdk/can.ts';

export interface LangChainParts<M> {
  /** The class `ToolMessage` of `langchain`. */
  readonly ToolMessage: new (fields: {
    readonly content: string;
    readonly tool_call_id: string;
    readonly name?: string;
    readonly status?: 'success' | 'error';
  }) => M;
  /**
   * The function `interrupt` of `@langchain/langgraph`, if your program resumes interrupted agents. Questions of hooks then
   * become interrupts. Otherwise they go to `services.ui.confirm`, or refuse the call if there is none.
   */
  readonly interrupt?: (question: Fields) => unknown;
}
/** The types of LangChain as far as they are used. */
interface ToolRequest {
  readonly toolCall: { readonly name: string; readonly args: Fields; readonly id?: string | undefined };
}
/** For `createMiddleware` of `langchain`. */
export interface LangChainMiddleware<M> {
  readonly name: 'anyhook';
  wrapToolCall<R extends ToolRequest, O>(request: R, handler: (request: R) => O | Promise<O>): Promise<O | M>;
}

/** Calls of subagents pass only their own middleware: give it to each subagent as well. */
export function langChainMiddleware<M>(
  hooks: Pick<Hooks, 'wrapTool'>,
  { ToolMessage, interrupt }: LangChainParts<M>,
  options: AdapterOptions = {},
): LangChainMiddleware<M> {
  return {
    name: 'anyhook',
    async wrapToolCall(request, handler) {
      const { name, args, id } = request.toolCall;
      const { signal } = (request as { runtime?: { signal?: AbortSignal } }).runtime ?? {};
      type Reply = Awaited<ReturnType<typeof handler>>;
      let reply: { readonly value: Reply } | undefined;
      const result = await callWithHooks(
        hooks,
        {
          ...options,
          tool: name,
          input: args,
          call: id,
          signal,
          isInterrupt,
          // Only the model's own input is shown, because it is the one that the checkpoint keeps until the answer.
          isApproved: (shown, reason) =>
            interrupt !== undefined && same(shown, args) && isApprovedBy(interrupt, name, args, reason),
        },
        async (input) => {
          const value = await handler({ ...request, toolCall: { ...request.toolCall, args: input } });
          reply = { value };
          const message = messageIn(value, id);
          if (message?.['status'] === 'error') throw new Error(textOf(message));
          return textOf(message);
        },
      );
      const created = (content: string, status: 'success' | 'error', from: Fields = {}) =>
        new ToolMessage({ ...kept(from), content, tool_call_id: id ?? '', name, status });
      if (result.kind === 'refused') return created(withTexts(result.message, result.texts), 'error');
      if (reply === undefined) throw (result as { error: Error }).error; // the tool threw
      const status = result.kind === 'failed' ? 'error' : 'success';
      const text = withTexts(result.kind === 'failed' ? result.error.message : result.output, result.texts);
      const message = messageIn(reply.value, id);
      if (message === undefined || text === textOf(message)) return reply.value;
      return replaced(reply.value, message, created(text, status, message));
    },
  };
}

const KEPT = ['id', 'artifact', 'metadata', 'additional_kwargs', 'response_metadata'] as const;
const kept = (message: Fields): Fields =>
  Object.fromEntries(KEPT.flatMap((key) => (message[key] === undefined ? [] : [[key, message[key]]])));

/** LangGraph ends a run, or leaves a graph, by throwing. */
const isInterrupt = (error: unknown): boolean =>
  (error as { is_bubble_up?: unknown } | undefined)?.is_bubble_up === true;

/** Asks in the form of LangChain's own `humanInTheLoopMiddleware`, which user interfaces know. */
function isApprovedBy(
  interrupt: (question: Fields) => unknown,
  name: string,
  args: Fields,
  description: string,
): boolean {
  try {
    const answer = interrupt({
      actionRequests: [{ name, args, description }],
      reviewConfigs: [{ actionName: name, allowedDecisions: ['approve', 'reject'] }],
    });
    const decisions = isFields(answer) ? answer['decisions'] : undefined;
    const [decision] = Array.isArray(decisions) ? (decisions as unknown[]) : [];
    return isFields(decision) && decision['type'] === 'approve';
  } catch (error) {
    if (isInterrupt(error)) throw error;
    return false; // Without a checkpointer nobody can answer.
  }
}

/** A tool returns its message, or a command that carries it. */
function messageIn(reply: unknown, call: string | undefined): Fields | undefined {
  const update = (reply as { update?: { messages?: unknown } } | undefined)?.update;
  const messages = update === undefined ? [reply] : update.messages;
  return Array.isArray(messages)
    ? (messages as Fields[]).find((message) => message?.['tool_call_id'] === call)
    : undefined;
}

function textOf(message: Fields | undefined): string {
  const content = message?.['content'] ?? '';
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function replaced<O, M>(reply: O, old: Fields, message: M): O | M {
  if ((reply as unknown) === old) return message;
  const { update } = reply as { update: { messages: unknown[] } };
  const messages = update.messages.map((entry) => (entry === old ? message : entry));
  const copy = Object.create(Object.getPrototypeOf(reply) as object, Object.getOwnPropertyDescriptors(reply));
  return Object.assign(copy as object, { update: { ...update, messages } }) as O;
}
