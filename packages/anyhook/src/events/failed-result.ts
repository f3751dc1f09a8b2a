/** For agents that report a tool result with an error, such as a non-zero exit code, as a failed call. */

import type { EventSubstitute } from './dialect.ts';
import { isFields } from './fields.ts';

export const FAILED_RESULT: EventSubstitute = {
  as: 'tool.failed',
  convert: ({ tool, input, content, isError }) =>
    isError === true ? { tool, input, error: textIn(content) } : null,
};

const textIn = (content: unknown): string =>
  (Array.isArray(content) ? content : [])
    .flatMap((part: unknown) => (isFields(part) && typeof part['text'] === 'string' ? [part['text']] : []))
    .join('\n');
