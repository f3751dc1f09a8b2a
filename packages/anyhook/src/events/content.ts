import { isFields } from './fields.ts';

/**
 * Returns the text in the content of a message or tool result: the string itself, or the texts of its parts.
 */
export function contentText(content: unknown, between = ''): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (isFields(part) ? part['text'] : part))
    .filter((text) => typeof text === 'string')
    .join(between);
}
