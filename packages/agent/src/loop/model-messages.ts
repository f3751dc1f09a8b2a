/**
 * Converts the conversation to AI SDK messages. Every call gets a result and every result a call, whatever hooks
 * removed.
 */

import type { ModelMessage } from 'ai';
import type { Fields } from 'anyhook';
import type { AssistantMessage, Content, Message, ToolResultMessage } from '../session/message.ts';

export function modelMessages(messages: readonly Message[]): ModelMessage[] {
  const results = new Map(
    messages.flatMap((message) =>
      message.role === 'toolResult' ? [[message.toolCallId, message] as const] : [],
    ),
  );
  return messages.flatMap((message): ModelMessage[] => {
    switch (message.role) {
      case 'user':
      case 'custom':
        return [{ role: 'user', content: userContent(message.content) }];
      case 'compactionSummary':
        return [user(`${COMPACTED}\n\n<summary>\n${message.summary}\n</summary>`)];
      case 'branchSummary':
        return [user(`${LEFT}\n\n<summary>\n${message.summary}\n</summary>`)];
      case 'assistant':
        return withResults(message, results);
      default:
        return []; // Results follow their calls.
    }
  });
}

const COMPACTED = 'The conversation so far was too long and has been replaced by this summary:';
const LEFT = 'Another branch of this conversation was left; this is what happened there:';
export const ABORTED = 'The call was interrupted before it ended; what it did is not known.';

const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] });

const userContent = (content: string | readonly Content[]) =>
  (typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content).map((part) =>
    part.type === 'text'
      ? { type: 'text' as const, text: part.text }
      : { type: 'file' as const, data: part.data, mediaType: part.mimeType },
  );

function withResults(
  message: AssistantMessage,
  results: ReadonlyMap<string, ToolResultMessage>,
): ModelMessage[] {
  const content = message.content.flatMap((part) => assistantPart(part));
  if (content.length === 0) return [];
  const calls = message.content.flatMap((part) => (part.type === 'toolCall' ? [part] : []));
  const reply: ModelMessage = { role: 'assistant', content };
  if (calls.length === 0) return [reply];
  return [
    reply,
    {
      role: 'tool',
      content: calls.map(({ id, name }) => ({
        type: 'tool-result' as const,
        toolCallId: id,
        toolName: name,
        output: outputOf(results.get(id)),
      })),
    },
  ];
}

type Output = Extract<
  Extract<ModelMessage, { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>['output'];
function outputOf(result: ToolResultMessage | undefined): Output {
  if (result === undefined) return { type: 'error-text', value: ABORTED };
  const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (result.isError) return { type: 'error-text', value: text };
  if (result.content.every(({ type }) => type === 'text')) return { type: 'text', value: text };
  return {
    type: 'content',
    value: result.content.map((part) =>
      part.type === 'text'
        ? { type: 'text', text: part.text }
        : { type: 'image-data', data: part.data, mediaType: part.mimeType },
    ),
  };
}

type AssistantPart = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>[number];
function assistantPart(part: AssistantMessage['content'][number]): AssistantPart[] {
  const more =
    part.providerOptions === undefined ? {} : { providerOptions: part.providerOptions as ProviderOptions };
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text, ...more }];
    case 'thinking':
      return [{ type: 'reasoning', text: part.thinking, ...more }];
    default:
      return [
        {
          type: 'tool-call',
          toolCallId: part.id,
          toolName: part.name,
          input: part.arguments as Fields,
          ...more,
        },
      ];
  }
}
type ProviderOptions = NonNullable<Extract<AssistantPart, { type: 'text' }>['providerOptions']>;

/** About four characters per token, which is accurate enough for a threshold. */
export const tokensIn = (messages: readonly Message[]): number =>
  Math.ceil(JSON.stringify(messages).length / 4);
