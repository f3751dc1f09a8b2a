/** Combines the answers of the handlers of one `tool_result`. */

import { copyPlain } from '../../../events/copy.ts';
import type { ToolResultEvent, ToolResultEventResult } from './types/index.ts';

export interface ResultTally {
  /** A separate copy for the next handler. */
  readonly shown: ToolResultEvent;
  /** Throws for an invalid field. Other fields of the answer count. */
  take(answer: unknown): void;
  readonly result: ToolResultEventResult | undefined;
}

/** Merges by field: later answers win and see earlier ones, so a redaction survives later handlers. */
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

/** The rule of the document: all handlers see the original, and the last answer replaces all others. */
export function tallyLastResult(event: ToolResultEvent): ResultTally {
  let last: ToolResultEventResult | undefined;
  return {
    get shown() {
      return copyPlain(event);
    },
    take(answer) {
      if (!answer) return;
      const fields: ToolResultEventResult = typeof answer === 'object' ? answer : {};
      const { additionalContext: _, ...rest } = fields;
      last = rest;
    },
    get result() {
      return last;
    },
  };
}
