/** Turns questions of hooks into tool approval requests of the AI SDK. An approval covers exactly the input that was shown. */

import { same } from '../../events/changes.ts';
import type { Fields } from '../../events/effects.ts';
import { isFields } from '../../events/fields.ts';
import type { Hooks } from '../../library/hooks.ts';
import { judgeCalls, type Judging } from '../shared/approvals.ts';
import type { AdapterOptions } from '../shared/call-with-hooks.ts';
import type { AiTool, SdkOptions } from './sdk.ts';

export interface Approvals extends Pick<Judging, 'judged'> {
  readonly needsApproval: (input: object, options: SdkOptions) => Promise<boolean>;
  /** The same question as `needsApproval`, with the outcome that answers it. */
  readonly judge: (input: object, options: SdkOptions) => ReturnType<Judging['judge']>;
}
/** Keyed by `needsApproval`, which the AI SDK keeps when it copies a tool. */
const ofWrappedTools = new WeakMap<object, Approvals>();
export const rememberApprovals = (approvals: Approvals): void =>
  void ofWrappedTools.set(approvals.needsApproval, approvals);
/** The approvals of a tool that `wrapTools` made with `approvals: true`. */
export const approvalsOfWrapped = ({ needsApproval }: AiTool): Approvals | undefined =>
  typeof needsApproval === 'function' ? ofWrappedTools.get(needsApproval) : undefined;

export function makeApprovals(
  name: string,
  tool: AiTool,
  hooks: Pick<Hooks, 'fire'>,
  options: AdapterOptions,
): Approvals {
  const { judge: judgeCall, judged } = judgeCalls(name, hooks, options);
  const judge: Approvals['judge'] = (input, more) => {
    const { toolCallId: call, messages = [] } = more;
    const needsOwn = (final: object) => own(tool, final, more);
    return judgeCall({ input, call, needsOwn, wasAsked: isAnswered(messages, call) });
  };
  return { judge, judged, needsApproval: async (input, more) => (await judge(input, more)).isAsked };
}

async function own({ needsApproval }: AiTool, input: unknown, options: SdkOptions): Promise<boolean> {
  if (typeof needsApproval !== 'function') return needsApproval === true;
  const ask = needsApproval as (input: unknown, options: SdkOptions) => unknown; // its parameters belong to the tool
  return (await ask(input, options)) === true;
}

/** Whether the user approved this call with exactly this input. */
export function isApproved(messages: readonly unknown[], call: string, input: Fields): boolean {
  return (
    isAnswered(messages, call) &&
    parts(messages, 'tool-call').some((part) => part['toolCallId'] === call && same(part['input'], input))
  );
}

function isAnswered(messages: readonly unknown[], call: string): boolean {
  const asked = parts(messages, 'tool-approval-request').filter((part) => part['toolCallId'] === call);
  return parts(messages, 'tool-approval-response').some(
    ({ approvalId, approved }) =>
      approved === true && asked.some((part) => part['approvalId'] === approvalId),
  );
}

const parts = (messages: readonly unknown[], type: string): Fields[] =>
  messages.flatMap((message) => {
    const content = isFields(message) ? message['content'] : undefined;
    return Array.isArray(content)
      ? content.filter((part: unknown): part is Fields => isFields(part) && part['type'] === type)
      : [];
  });
