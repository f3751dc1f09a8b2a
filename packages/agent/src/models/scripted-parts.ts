/** Converts one step of a script to the stream parts of a provider. */

import type {
  LanguageModelV3Content,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import type { Step } from './script.ts';

export interface PlayedStep {
  readonly content: readonly LanguageModelV3Content[];
  readonly usage: LanguageModelV3Usage;
  readonly reason: 'stop' | 'tool-calls';
}

export function played(step: Step, firstCall: number, caller: string, promptTokens: number): PlayedStep {
  const content: LanguageModelV3Content[] = [];
  if (step.thinking !== undefined) content.push({ type: 'reasoning', text: step.thinking });
  if (step.text !== undefined) content.push({ type: 'text', text: step.text });
  for (const [index, { tool, input }] of (step.calls ?? []).entries())
    content.push({
      type: 'tool-call',
      toolCallId: `${caller}-${firstCall + index}`,
      toolName: tool,
      input: JSON.stringify(input),
    });
  const { input, output } = step.usage ?? { input: promptTokens, output: guessedTokens(content) };
  const usage: LanguageModelV3Usage = {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  };
  return { content, usage, reason: step.calls === undefined ? 'stop' : 'tool-calls' };
}

export function* streamed({ content, usage, reason }: PlayedStep): Generator<LanguageModelV3StreamPart> {
  for (const [index, part] of content.entries()) {
    const id = String(index);
    if (part.type === 'text' || part.type === 'reasoning') {
      yield { type: `${part.type}-start`, id };
      for (const delta of pieces(part.text)) yield { type: `${part.type}-delta`, id, delta };
      yield { type: `${part.type}-end`, id };
    } else if (part.type === 'tool-call') {
      yield { type: 'tool-input-start', id: part.toolCallId, toolName: part.toolName };
      for (const delta of pieces(part.input)) yield { type: 'tool-input-delta', id: part.toolCallId, delta };
      yield { type: 'tool-input-end', id: part.toolCallId };
      yield part;
    }
  }
  yield { type: 'finish', usage, finishReason: { unified: reason, raw: reason } };
}

/** Splits text into about one word per piece, never inside a surrogate pair. */
const pieces = (text: string): readonly string[] => text.match(/\S{1,12}\s*|\s+/gu) ?? [];

/** About four characters per token, which is accurate enough for budgets and thresholds. */
export const guessedTokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);
