/**
 * `anyhook/openai-agents`: hooks around the function tools of the OpenAI Agents SDK. Wraps `invoke`, because guardrails of the
 * SDK cannot change an input. Needs no import of the SDK.
 */

import { same } from '../../events/changes.ts';
import type { Fields } from '../../events/effects.ts';
import { isFields } from '../../events/fields.ts';
import type { Hooks } from '../../library/hooks.ts';
import { judgeCalls } from '../shared/approvals.ts';
import { type AdapterOptions, callWithHooks, withTexts } from '../shared/call-with-hooks.ts';

export { AI_SDK_CAN as OPENAI_AGENTS_CAN } from '../ai-sdk/can.ts';

export interface OpenAiAgentsOptions extends AdapterOptions {
  /**
   * `true` if your program answers `result.interruptions`. Questions of hooks then become interruptions. Otherwise they go to
   * `services.ui.confirm`, or refuse the call if there is none.
   */
  readonly approvals?: true;
}

/** The types of the SDK as far as they are used. */
interface RunContext {
  isToolApproved(call: { toolName: string; callId: string }): boolean | undefined;
}
interface CallDetails {
  readonly toolCall?: { readonly callId: string };
  readonly signal?: AbortSignal;
}
interface FunctionTool {
  readonly type: string;
  readonly name: string;
  invoke(context: RunContext, json: string, details?: CallDetails): Promise<unknown>;
  needsApproval(context: RunContext, input: unknown, call?: string): Promise<boolean>;
}

/** Wraps function tools. Other kinds of tools (hosted, computer, shell) are returned as they are, with a warning. */
export const wrapAgentTools = <T extends readonly { readonly type: string; readonly name: string }[]>(
  tools: T,
  hooks: Pick<Hooks, 'fire' | 'wrapTool'>,
  options: OpenAiAgentsOptions = {},
): T =>
  tools.map((tool) => {
    if (tool.type === 'function') return guarded(tool as FunctionTool, hooks, options);
    process.emitWarning(`hooks cannot guard the ${tool.type} tool '${tool.name}'`, {
      type: 'AnyhookWarning',
      code: 'ANYHOOK_UNGUARDED_TOOL',
    });
    return tool;
  }) as unknown as T;

function guarded(
  tool: FunctionTool,
  hooks: Pick<Hooks, 'fire' | 'wrapTool'>,
  options: OpenAiAgentsOptions,
): FunctionTool {
  const { judge, judged } = judgeCalls(tool.name, hooks, options);
  const isApproved = (context: RunContext, callId: string | undefined): boolean =>
    callId !== undefined && context.isToolApproved({ toolName: tool.name, callId }) === true;
  return {
    ...tool,
    async needsApproval(context, input, call) {
      const needsOwn = (final: unknown) => tool.needsApproval(context, final, call);
      if (options.approvals !== true || call === undefined || !isFields(input)) return needsOwn(input);
      const wasAsked = isApproved(context, call);
      return (await judge({ input, call, needsOwn, wasAsked })).isAsked;
    },
    async invoke(context, json, details) {
      const input = parsed(json);
      const call = details?.toolCall?.callId;
      const before = call === undefined || isApproved(context, call) ? undefined : judged(call);
      // `needsApproval` got the parsed input. The tool parses the text again, so it gets the model's own text if it can.
      const textOf = (final: Fields): string =>
        before?.changed.length === 0 || same(final, input) ? json : JSON.stringify(final);
      const result = await callWithHooks(
        hooks,
        {
          ...options,
          tool: tool.name,
          input,
          call,
          signal: details?.signal,
          before,
          // The SDK showed the model's input to the user.
          isApproved: (shown: Fields) =>
            options.approvals === true && isApproved(context, call) && same(shown, input),
        },
        (final) => tool.invoke(context, textOf(final), details),
      );
      if (result.kind === 'failed') throw result.error;
      if (result.kind === 'refused') return withTexts(result.message, result.texts);
      if (result.texts.length === 0) return result.output;
      const text = typeof result.output === 'string' ? result.output : JSON.stringify(result.output);
      return withTexts(text, result.texts);
    },
  };
}

function parsed(json: string): unknown {
  try {
    return json === '' ? {} : JSON.parse(json);
  } catch {
    return undefined; // The model wrote no JSON. The call is refused.
  }
}
