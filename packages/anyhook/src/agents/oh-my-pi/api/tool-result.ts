/** What the handlers of one `tool_result` came to. */
import { copyPlain } from '../../../events/copy.ts';
import type { ToolResultEvent, ToolResultEventResult } from './types/index.ts';

export interface ResultTally {
  /** What the next handler is shown: a copy, its own. */
  readonly shown: ToolResultEvent;
  /** Throws for a field that makes no sense; the others of the same answer count. */
  take(answer: unknown): void;
  readonly result: ToolResultEventResult | undefined;
}

/** Field by field, the later one wins and sees the earlier: a redaction outlives whoever comes after it. */
export function tallyResult(event: ToolResultEvent): ResultTally {
  let merged: ToolResultEventResult | undefined;
  const contexts: string[] = [];
  return {
    get shown() {
      const { additionalContext: _, ...changed } = merged ?? {};
      return copyPlain({ ...event, ...changed });
    },
    take(answer) {
      if (!answer) return;
      const { content, details, isError, additionalContext } = answer as ToolResultEventResult;
      const isOdd = content !== undefined && !Array.isArray(content);
      merged = {
        ...merged,
        ...(content !== undefined && !isOdd && { content }),
        ...(details !== undefined && { details }),
        ...(isError !== undefined && { isError }),
      };
      if (typeof additionalContext === 'string' && additionalContext.trim() !== '')
        contexts.push(additionalContext);
      if (isOdd)
        throw new TypeError(`a tool_result handler returned content that is not a list: ${typeof content}`);
    },
    get result() {
      if (contexts.length === 0) return merged;
      return { ...merged, additionalContext: contexts.join('\n\n') };
    },
  };
}

/** The document's own rule: everybody sees the original, the last answer stands alone. */
export function tallyLastResult(event: ToolResultEvent): ResultTally {
  let last: ToolResultEventResult | undefined;
  return {
    get shown() {
      return copyPlain(event);
    },
    take(answer) {
      if (!answer) return;
      const said: ToolResultEventResult = typeof answer === 'object' ? answer : {};
      const { additionalContext: _, ...rest } = said;
      last = rest;
    },
    get result() {
      return last;
    },
  };
}
