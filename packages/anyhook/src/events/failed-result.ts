/** For dialects whose agents take a call that ended badly for a failed one: a command with another exit code than 0. */
import type { Retelling } from './dialect.ts';
import { isFields } from './fields.ts';

export const FAILED_RESULT: Retelling = {
  as: 'tool.failed',
  tell: ({ tool, input, content, isError }) =>
    isError === true ? { tool, input, error: textIn(content) } : null,
};

const textIn = (content: unknown): string =>
  (Array.isArray(content) ? content : [])
    .flatMap((part: unknown) => (isFields(part) && typeof part['text'] === 'string' ? [part['text']] : []))
    .join('\n');
