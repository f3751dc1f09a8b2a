/** Answers the `toolApproval` question of the AI SDK 7 with the verdict of hooks. It never runs a tool. */

import { isFields } from '../../events/fields.ts';
import type { Hooks } from '../../library/hooks.ts';
import { refusalText } from '../../library/wrap-tool.ts';
import type { AdapterOptions } from '../shared/call-with-hooks.ts';
import { sayLost } from '../shared/say-lost.ts';
import { approvalsOfWrapped, makeApprovals } from './approvals.ts';
import type { AiTools } from './sdk.ts';

/** A `ToolApprovalStatus` of the AI SDK. */
export type ApprovalStatus =
  | { readonly type: 'not-applicable' }
  | { readonly type: 'denied' | 'user-approval'; readonly reason?: string };
export type ToolApproval = (question: {
  readonly toolCall: { readonly toolName: string; readonly toolCallId: string; readonly input: unknown };
  readonly tools: AiTools | undefined;
  readonly messages: readonly unknown[];
}) => Promise<ApprovalStatus>;

/**
 * For `toolApproval` of `generateText` and `streamText`. A refusal of hooks denies the call, and a question becomes an approval
 * request with the reason of the hook. Beside `wrapTools(tools, hooks, { approvals: true })`, hooks run once for each call.
 */
export function toolApproval(
  hooks: Pick<Hooks, 'fire'>,
  { ids, onOutcome = sayLost }: AdapterOptions = {},
): ToolApproval {
  return async ({ toolCall: { toolName: name, toolCallId: call, input }, tools, messages }) => {
    const deny = async (reason: string): Promise<ApprovalStatus> => {
      const payload = { tool: name, input: isFields(input) ? input : {}, reason };
      onOutcome(await hooks.fire({ name: 'tool.denied', payload, ids: { ...ids, call } }));
      return { type: 'denied', reason };
    };
    if (!isFields(input)) return deny(`${name} was blocked: its input is not an object`);
    const tool = tools !== undefined && Object.hasOwn(tools, name) ? tools[name]! : {};
    const wrapped = approvalsOfWrapped(tool);
    const approvals = wrapped ?? makeApprovals(name, tool, hooks, { ...(ids && { ids }), onOutcome });
    const { isAsked, outcome } = await approvals.judge(input, { toolCallId: call, messages });
    if (outcome.proceed === 'no') {
      approvals.judged(call); // The tool does not run, so nothing else takes this outcome.
      return deny(refusalText(name, outcome));
    }
    // The AI SDK would run the input of the model. Only a wrapped tool can run another one.
    if (wrapped === undefined && outcome.changed.length > 0)
      return deny(`${name} was blocked: a hook changed its input. Wrap the tool with wrapTools.`);
    if (!isAsked) return { type: 'not-applicable' };
    return { type: 'user-approval', ...(outcome.reason !== '' && { reason: outcome.reason }) };
  };
}
