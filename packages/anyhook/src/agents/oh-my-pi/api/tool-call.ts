/** Combines the answers of the handlers of one `tool_call`. */

import { isPlain, same } from '../../../events/changes.ts';
import type { LoadedHook, ToolCallEventResult } from './types/index.ts';

export interface CallTally {
  /** True: this handler blocked, and no other runs. Throws for an invalid answer. */
  take(answer: unknown): boolean;
  readonly result: ToolCallEventResult | undefined;
}

/** Combines the last answer, the last changed input, and the context of all handlers. */
export function tallyCall(seedStrict: boolean): CallTally {
  let last: ToolCallEventResult | undefined;
  let input: Record<string, unknown> | undefined;
  const contexts: string[] = [];
  return {
    take(answer) {
      if (!answer) return false;
      // Any truthy answer counts; a non-object has no fields.
      const fields: ToolCallEventResult = typeof answer === 'object' ? answer : {};
      const { input: replaced, additionalContext, block, reason, ...rest } = fields;
      last = { ...rest, ...(block !== undefined && { block }), ...(reason !== undefined && { reason }) };
      if (block) return true;
      if (seedStrict) return false;
      if (replaced !== undefined) input = asInput(replaced);
      if (typeof additionalContext === 'string' && additionalContext.trim() !== '')
        contexts.push(additionalContext);
      return false;
    },
    get result() {
      if (last === undefined || last.block) return last;
      return {
        ...last,
        ...(input !== undefined && { input }),
        ...(contexts.length > 0 && { additionalContext: contexts.join('\n\n') }),
      };
    },
  };
}

/** Running the tool with anything but an object would run something that no hook intended. */
function asInput(replaced: unknown): Record<string, unknown> {
  if (isPlain(replaced)) return replaced;
  throw new TypeError(`a tool_call handler returned an input that is not an object: ${typeof replaced}`);
}

/** A change in place by an extension counts as a returned one; by a hook module it does not count. */
export function withInput(
  { isExtension = false }: Pick<LoadedHook, 'isExtension'>,
  answer: unknown,
  left: Record<string, unknown>,
  given: Record<string, unknown>,
): unknown {
  if (!isExtension || same(left, given)) return answer;
  return typeof answer === 'object' && answer !== null ? { input: left, ...answer } : { input: left };
}
