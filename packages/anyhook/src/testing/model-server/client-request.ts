/** A request for an answer, in no provider's words. */
import type { Fields } from '../../events/effects.ts';

export interface ClientTool {
  readonly kind: 'function' | 'custom' | 'local-shell';
  readonly name: string;
  /** Of a group of tools, in OpenAI's Responses. */
  readonly namespace?: string;
  readonly schema?: Fields;
}
export interface ModelRequest {
  readonly model: string;
  /** How many answers of the model the history holds. */
  readonly turns: number;
  readonly tools: readonly ClientTool[];
  /** What the user said before the model's first answer. */
  readonly opening: string;
  readonly lastText: string;
  /** The answer must be JSON of this shape. */
  readonly answerSchema?: Fields;
}

/** What users said before the model's first answer. */
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
