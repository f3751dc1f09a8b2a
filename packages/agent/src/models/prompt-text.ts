import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';

/** Every text of a request that a person or a tool wrote, whatever part carries it; names and ids are left out. */
export const allText = (prompt: LanguageModelV3Prompt): string => prompt.flatMap(textsOf).join('\n');

/** What came since the model's last answer: the person's words, tools' results, what hooks added. */
export function newText(prompt: LanguageModelV3Prompt): string {
  const answered = prompt.findLastIndex(({ role }) => role === 'assistant');
  return allText(prompt.slice(answered + 1).filter(({ role }) => role !== 'system'));
}

function textsOf(message: LanguageModelV3Message): readonly string[] {
  if (message.role === 'system') return [message.content];
  return message.content.flatMap((part) => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return part.text;
      case 'tool-call':
        return stringsIn(part.input);
      case 'tool-result':
        return stringsIn('value' in part.output ? part.output.value : (part.output.reason ?? ''));
      default:
        return [];
    }
  });
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
