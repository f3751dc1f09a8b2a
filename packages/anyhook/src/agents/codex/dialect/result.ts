import { isPlain } from '../../../events/changes.ts';

/** What the model is shown of a result: one text, or what the server of an MCP tool sent. */
export function contentOf(result: unknown): unknown[] {
  if (result === undefined || result === null) return [];
  if (Array.isArray(result)) return result;
  if (isPlain(result) && Array.isArray(result['content'])) return result['content'];
  return [{ type: 'text', text: typeof result === 'string' ? result : JSON.stringify(result) }];
}
