/** The result of a tool call with what hooks changed of it, in the shape in which the tool gave it. */
import { same } from '../events/changes.ts';
import { contentText } from '../events/content.ts';
import type { Fields } from '../events/effects.ts';
import { isFields } from '../events/fields.ts';

/** A result as MCP servers give it. */
export interface McpResult extends Fields {
  readonly content: readonly unknown[];
}
export const isMcpResult = (result: unknown): result is McpResult =>
  isFields(result) && Array.isArray(result['content']);

/**
 * The structured content repeats the content. Where hooks changed only the content, it is read from that anew, or left out,
 * so that nothing comes back which they took away.
 */
export function changedMcpResult(result: McpResult, { content, details, isError }: Fields): Fields {
  const { structuredContent, ...rest } = result;
  const isSame = same(content, result.content);
  const isErrorSame = isError === undefined || isError === (result['isError'] === true);
  if (isSame && isErrorSame && same(details, structuredContent)) return result;
  const changed = { ...rest, content, ...(isErrorSame ? {} : { isError }) };
  if (structuredContent === undefined) return changed;
  const data = same(details, structuredContent) && !isSame ? dataIn(content) : details;
  // A tool that declares its structured content must answer with it, or with an error.
  return isFields(data) ? { ...changed, structuredContent: data } : { ...changed, isError: true };
}

function dataIn(content: unknown): unknown {
  try {
    return JSON.parse(contentText(content));
  } catch {
    return undefined;
  }
}
