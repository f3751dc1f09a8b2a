/**
 * Presents a prompt or tool result as a conversation of its own, for hooks on messages in a host without such
 * an event. Converts the hook's changes back.
 */

import { isPlain } from './changes.ts';
import { contentText } from './content.ts';
import { isResult, partsIn } from './conversation.ts';
import type { Fields } from './effects.ts';
import type { Ids } from './event.ts';

interface AsMessages {
  readonly toMissing: (payload: Fields, ids: Ids) => Fields;
  readonly toFired: (wanted: Fields, payload: Fields) => Fields;
}

const messagesIn = ({ messages }: Fields): readonly unknown[] => (Array.isArray(messages) ? messages : []);

/** Includes texts that other hooks added next to the prompt. */
export const promptAsMessages: AsMessages = {
  toMissing: ({ prompt, parts }) => {
    const isWhole = !Array.isArray(parts) || contentText(parts).includes(String(prompt));
    const content = Array.isArray(parts)
      ? [...(isWhole ? [] : [{ type: 'text', text: prompt }]), ...parts]
      : prompt;
    return { messages: [{ role: 'user', content }] };
  },
  toFired: (wanted, { parts }) => {
    const left = messagesIn(wanted).flatMap(partsIn);
    return { prompt: contentText(left, '\n\n'), ...(Array.isArray(parts) && { parts: left }) };
  },
};

/**
 * Presents only the result. Text that hooks add next to it was already shown with the prompt and would be
 * repeated for every call.
 */
export const resultAsMessages = (field: 'content' | 'error'): AsMessages => ({
  toMissing: ({ tool, input, isError, details, [field]: content }, { call = 'call' }) => ({
    messages: [
      { role: 'assistant', content: [{ type: 'toolCall', id: call, name: tool, arguments: input ?? {} }] },
      {
        role: 'toolResult',
        toolCallId: call,
        toolName: tool,
        content: field === 'error' ? [{ type: 'text', text: content }] : content,
        isError: field === 'error' || isError === true,
        ...(details !== undefined && { details }),
      },
    ],
  }),
  toFired: (wanted) => {
    const result = messagesIn(wanted).find(isResult);
    const content = isPlain(result) ? result['content'] : undefined;
    if (field === 'error') return { error: contentText(content, '\n') };
    // A hook that removes the result, or returns something that is not content, hides the result.
    return {
      content:
        typeof content === 'string'
          ? [{ type: 'text', text: content }]
          : Array.isArray(content)
            ? content
            : [],
    };
  },
});
