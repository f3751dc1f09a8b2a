/** A request to a model, independent of the provider. */

import type { Fields } from '../../events/effects.ts';

export interface ClientTool {
  readonly kind: 'function' | 'custom' | 'local-shell';
  readonly name: string;
  /** For a tool in a group, in OpenAI's Responses API. */
  readonly namespace?: string;
  readonly schema?: Fields;
}
export interface ModelRequest {
  readonly model: string;
  /** Number of model answers in the history. */
  readonly turns: number;
  readonly tools: readonly ClientTool[];
  /** The user's text before the first model answer. */
  readonly opening: string;
  readonly lastText: string;
  /** Schema that the answer must match. */
  readonly answerSchema?: Fields;
}

/** Returns the user's text before the first model answer. */
export function openingOf(
  messages: readonly Fields[],
  isModels: (message: Fields) => boolean,
  text: (message: Fields) => string,
): string {
  const first = messages.findIndex(isModels);
  return (first < 0 ? messages : messages.slice(0, first))
    .filter(({ role }) => role === 'user')
    .map(text)
    .join('\n');
}
