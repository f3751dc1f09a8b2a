/** What a tool returned, as Gemini tells it: a failure is an `error` in the same field. */
import { isPlain } from '../../../events/changes.ts';
import type { Fields } from '../../../events/effects.ts';
import { textOr } from '../../shared/claude-shaped/translation.ts';

export const resultOf = (shown: string, error?: string): Fields => ({
  tool_response: {
    llmContent: shown,
    returnDisplay: shown,
    ...(error !== undefined && { error: { message: error, type: 'unknown' } }),
  },
});

/** Why the tool failed, if it did; an exit code of a shell is no failure to Gemini. */
export function errorIn({ tool_response: result }: Fields): string | undefined {
  const error = isPlain(result) ? result['error'] : undefined;
  if (error === undefined || error === null) return undefined;
  return isPlain(error) ? textOr(error['message'], JSON.stringify(error)) : String(error);
}

/** What the model is shown of it: a text, a part, or a list of parts. */
export function contentIn({ tool_response: result }: Fields): unknown[] {
  const shown = isPlain(result) ? result['llmContent'] : result;
  if (shown === undefined || shown === null) return [];
  return (Array.isArray(shown) ? shown : [shown]).map((part: unknown) => {
    if (typeof part === 'string') return { type: 'text', text: part };
    return isPlain(part) && typeof part['text'] === 'string' ? { type: 'text', text: part['text'] } : part;
  });
}
