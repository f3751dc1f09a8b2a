/**
 * Questions of hooks, put by the AI SDK: a call that a hook wants a person to see becomes a tool approval request. It is
 * approved for the input that was shown, and for no other.
 */
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
  /** What was judged for this call when the AI SDK asked, so that hooks are not asked twice about one thing. */
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
      // The AI SDK shows what the model wrote. Where hooks made something else of it that is the wrong question: the
      // call goes on to `execute`, which asks about what would really run, or refuses.
      const isShown = outcome.changed.length === 0;
      const wasAsked = isAnswered(options.messages ?? [], call);
      if (!isAsked || !isShown || wasAsked)
        keep(
          call,
          isAsked && !isQuestion && !isShown
            ? outcomeOf({ ...outcome, verdict: 'ask' }, 'tool.before')
            : outcome,
        );
      // A call that was approved and is not called so any more would be refused by the AI SDK itself.
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
  const ask = needsApproval as (input: unknown, options: SdkOptions) => unknown; // its parameters are the tool's affair
  return (await ask(input, options)) === true;
}

/** Did a person approve this call, and exactly this input of it? */
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
