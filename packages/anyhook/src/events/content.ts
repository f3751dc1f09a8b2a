import { isFields } from './fields.ts';

/** What a model reads of a message or a result: the text itself, or the texts among its parts. */
export function contentText(content: unknown, between = ''): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (isFields(part) ? part['text'] : part))
    .filter((text) => typeof text === 'string')
    .join(between);
}
