/** Merges the changes of hooks into the result of a tool call, in the shape that the tool returned. */

import { same } from '../events/changes.ts';
import { contentText } from '../events/content.ts';
import type { Fields } from '../events/effects.ts';
import { isFields } from '../events/fields.ts';

/** Result of an MCP server. */
export interface McpResult extends Fields {
  readonly content: readonly unknown[];
}
export const isMcpResult = (result: unknown): result is McpResult =>
  isFields(result) && Array.isArray(result['content']);

/**
 * Structured content repeats the content. If hooks changed only the content, the structured content is parsed from it again or
 * dropped, so that removed data does not come back.
 */
export function changedMcpResult(result: McpResult, { content, details, isError }: Fields): Fields {
  const { structuredContent, ...rest } = result;
  const isSame = same(content, result.content);
  const isErrorSame = isError === undefined || isError === (result['isError'] === true);
  if (isSame && isErrorSame && same(details, structuredContent)) return result;
  const changed = { ...rest, content, ...(isErrorSame ? {} : { isError }) };
  if (structuredContent === undefined) return changed;
  const data = same(details, structuredContent) && !isSame ? dataIn(content) : details;
  // A tool that declares structured content must return it, or an error.
  return isFields(data) ? { ...changed, structuredContent: data } : { ...changed, isError: true };
}

function dataIn(content: unknown): unknown {
  try {
    return JSON.parse(contentText(content));
  } catch {
    return undefined;
  }
}
