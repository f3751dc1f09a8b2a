/**
 * What comes to the model, as a conversation of it alone: for hooks that know messages, in a host that shows them to nobody.
 * What they make of a message goes back to where it came from.
 */
import { isPlain } from './changes.ts';
import { contentText } from './content.ts';
import { isResult, partsIn } from './conversation.ts';
import type { Fields } from './effects.ts';
import type { Ids } from './event.ts';

interface AsMessages {
  readonly as: (payload: Fields, ids: Ids) => Fields;
  readonly back: (wanted: Fields, payload: Fields) => Fields;
}

const messagesIn = ({ messages }: Fields): readonly unknown[] => (Array.isArray(messages) ? messages : []);

/** Texts that hooks put in beside it are told with it. */
export const promptAsMessages: AsMessages = {
  as: ({ prompt, parts }) => {
    const isWhole = !Array.isArray(parts) || contentText(parts).includes(String(prompt));
    const content = Array.isArray(parts)
      ? [...(isWhole ? [] : [{ type: 'text', text: prompt }]), ...parts]
      : prompt;
    return { messages: [{ role: 'user', content }] };
  },
  back: (wanted, { parts }) => {
    const left = messagesIn(wanted).flatMap(partsIn);
    return { prompt: contentText(left, '\n\n'), ...(Array.isArray(parts) && { parts: left }) };
  },
};

/** Only the result itself: what hooks put in beside it they have said with the prompt, and would say with every call. */
export const resultAsMessages = (field: 'content' | 'error'): AsMessages => ({
  as: ({ tool, input, isError, details, [field]: said }, { call = 'call' }) => ({
    messages: [
      { role: 'assistant', content: [{ type: 'toolCall', id: call, name: tool, arguments: input ?? {} }] },
      {
        role: 'toolResult',
        toolCallId: call,
        toolName: tool,
        content: field === 'error' ? [{ type: 'text', text: said }] : said,
        isError: field === 'error' || isError === true,
        ...(details !== undefined && { details }),
      },
    ],
  }),
  back: (wanted) => {
    const result = messagesIn(wanted).find(isResult);
    const said = isPlain(result) ? result['content'] : undefined;
    if (field === 'error') return { error: contentText(said, '\n') };
    // Whoever takes it out, or leaves what is no content, hides it.
    return {
      content: typeof said === 'string' ? [{ type: 'text', text: said }] : Array.isArray(said) ? said : [],
    };
  },
});
