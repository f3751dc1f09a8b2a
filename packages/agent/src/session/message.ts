/**
 * The messages of a conversation as stored and as hooks see them. Modules for pi and oh-my-pi read these shapes.
 * `loop/model-messages.ts` converts them for the AI SDK.
 */

import type { Fields } from 'anyhook';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  /** Metadata that the provider expects to get back. */
  readonly providerOptions?: Fields;
}
export interface ImagePart {
  readonly type: 'image';
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}
export interface ThinkingPart {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly providerOptions?: Fields;
}
export interface ToolCallPart {
  readonly type: 'toolCall';
  readonly id: string;
  readonly name: string;
  readonly arguments: Fields;
  readonly providerOptions?: Fields;
}
export type Content = TextPart | ImagePart;

export interface UserMessage {
  readonly role: 'user';
  readonly content: string | readonly Content[];
  readonly timestamp: number;
}
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly (TextPart | ThinkingPart | ToolCallPart)[];
  readonly timestamp: number;
  readonly provider?: string;
  readonly model?: string;
  readonly usage?: { readonly input: number; readonly output: number };
  readonly stopReason?: 'stop' | 'tool-calls' | 'length' | 'aborted' | 'error';
}
export interface ToolResultMessage {
  readonly role: 'toolResult';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly Content[];
  readonly details?: unknown;
  readonly isError: boolean;
  readonly timestamp: number;
}
/** Added by a hook or the agent. The model reads it as a user message; the user sees it only if `display` is set. */
export interface CustomMessage {
  readonly role: 'custom';
  readonly customType: string;
  readonly content: string | readonly Content[];
  readonly display: boolean;
  readonly details?: unknown;
  readonly timestamp: number;
}
export interface SummaryMessage {
  readonly role: 'compactionSummary' | 'branchSummary';
  readonly summary: string;
  readonly timestamp: number;
}
export type Message = UserMessage | AssistantMessage | ToolResultMessage | CustomMessage | SummaryMessage;

/** The text of a message, for the user, rules and summaries. */
export function textOf(
  message: Pick<Message, 'role'> & { readonly content?: unknown; readonly summary?: unknown },
): string {
  if (typeof message.summary === 'string') return message.summary;
  if (typeof message.content === 'string') return message.content;
  if (!Array.isArray(message.content)) return '';
  return (message.content as readonly { readonly text?: unknown }[])
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n');
}

/** Keeps text and images and converts any other part to text, so that the model can read it. */
export const contentIn = (parts: readonly unknown[]): Content[] =>
  parts.map((part) =>
    isContent(part)
      ? part
      : { type: 'text', text: typeof part === 'string' ? part : (JSON.stringify(part) ?? '') },
  );
function isContent(part: unknown): part is Content {
  const { type, text, data, mimeType } = (part ?? {}) as Fields;
  return type === 'image'
    ? typeof data === 'string' && typeof mimeType === 'string'
    : type === 'text' && typeof text === 'string';
}
