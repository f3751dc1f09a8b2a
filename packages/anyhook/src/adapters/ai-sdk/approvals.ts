/** Turns questions of hooks into tool approval requests of the AI SDK. An approval covers exactly the input that was shown. */

import { same } from '../../events/changes.ts';
import type { Fields } from '../../events/effects.ts';
import type { Ids } from '../../events/event.ts';
import { isFields } from '../../events/fields.ts';
import { type Outcome, outcomeOf } from '../../events/outcome.ts';
import type { Hooks } from '../../library/hooks.ts';
import { sayLost } from './say-lost.ts';
import type { AiTool, SdkOptions } from './sdk.ts';

export interface Approvals {
  readonly needsApproval: (input: object, options: SdkOptions) => Promise<boolean>;
  /** The outcome from when the AI SDK asked about this call, so that hooks do not run twice for it. */
  readonly judged: (call: string) => Outcome | undefined;
}
const KEPT = 1000;

export function makeApprovals(
  name: string,
  tool: AiTool,
  { fire }: Pick<Hooks, 'fire'>,
  {
    ids,
    onOutcome = sayLost,
  }: { readonly ids?: Partial<Ids>; readonly onOutcome?: (outcome: Outcome) => void },
): Approvals {
  const outcomes = new Map<string, Outcome>();
  const keep = (call: string, outcome: Outcome): void => {
    outcomes.set(call, outcome);
    for (const oldest of outcomes.keys()) {
      if (outcomes.size <= KEPT) break;
      outcomes.delete(oldest);
    }
  };
  return {
    async needsApproval(input, options) {
      const call = options.toolCallId;
      const outcome = await fire({
        name: 'tool.before',
        payload: { tool: name, input: input as Fields },
        ids: { ...ids, call },
      });
      onOutcome(outcome);
      const isQuestion = outcome.proceed === 'ask';
      const isAsked =
        isQuestion || (outcome.proceed === 'yes' && (await own(tool, outcome.payload.input, options)));
      // The AI SDK shows the model's input. If hooks changed it, that would be the wrong question, so the call goes on to
      // `execute`, which asks about the changed input or refuses.
      const isShown = outcome.changed.length === 0;
      const wasAsked = isAnswered(options.messages ?? [], call);
      if (!isAsked || !isShown || wasAsked)
        keep(
          call,
          isAsked && !isQuestion && !isShown
            ? outcomeOf({ ...outcome, verdict: 'ask' }, 'tool.before')
            : outcome,
        );
      // The AI SDK itself would refuse an approved call that no longer needs approval.
      return wasAsked || (isAsked && isShown);
    },
    judged(call) {
      const outcome = outcomes.get(call);
      outcomes.delete(call);
      return outcome;
    },
  };
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
