/**
 * Reads a host's messages as turns of pieces, with each tool call next to its result. Understands our own
 * format (`toolCall` parts, `toolResult` messages) and that of the AI SDK. Other parts are kept unchanged.
 */

import { isPlain } from './changes.ts';
import { contentText } from './content.ts';
import type { Fields } from './effects.ts';

export interface CallResult {
  readonly text: string;
  readonly isError: boolean;
  readonly details?: unknown;
}
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | { readonly kind: 'image'; readonly data: string; readonly mimeType: string }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly tool: string;
      readonly input: Fields;
      readonly result?: CallResult;
    }
  | { readonly kind: 'other'; readonly part: unknown };
/** `at` is the index in the content of the host's message, absent for a new piece. */
export type PlacedPiece = Piece & { readonly at?: number };
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly pieces: readonly PlacedPiece[];
  /** Index of the host's message, absent for a new turn. */
  readonly at?: number;
}

export function readTurns(messages: readonly unknown[]): Turn[] {
  const results = new Map(messages.flatMap((message) => resultsIn(message)));
  const called = new Set(
    messages.flatMap((message) => partsIn(message).flatMap((part) => callId(part) ?? [])),
  );
  return messages.flatMap((message, at): Turn[] => {
    const orphans = resultsIn(message).filter(([id]) => !called.has(id));
    if (isResult(message))
      return orphans.length === 0 ? [] : [{ role: 'assistant', pieces: orphans.map(orphan), at }];
    const role = isPlain(message) && message['role'] === 'assistant' ? 'assistant' : 'user';
    const pieces = partsIn(message).map((part, place) => ({ ...pieceOf(part, results), at: place }));
    return [{ role, pieces, at }];
  });
}

/** A result whose call was removed. */
const orphan = ([id, { tool, ...result }]: [string, NamedResult]): Piece => ({
  kind: 'call',
  id,
  tool,
  input: {},
  result,
});

export const isResult = (message: unknown): message is Fields =>
  isPlain(message) && (message['role'] === 'toolResult' || message['role'] === 'tool');

/** Returns true if calls and results have the format of the AI SDK. */
export const isOfSdk = (messages: readonly unknown[]): boolean =>
  messages.some(
    (message) =>
      (isPlain(message) && message['role'] === 'tool') ||
      partsIn(message).some(
        (part) => isPlain(part) && (part['type'] === 'tool-call' || part['type'] === 'reasoning'),
      ),
  );

/** Returns a message's content as a list of parts. */
export function partsIn(message: unknown): readonly unknown[] {
  if (!isPlain(message)) return [{ type: 'text', text: String(message) }];
  const { content, summary } = message;
  if (Array.isArray(content)) return content;
  const text = content ?? summary;
  return text === undefined ? [] : [{ type: 'text', text: String(text) }];
}

export function callId(part: unknown): string | undefined {
  if (!isPlain(part)) return undefined;
  const id =
    part['type'] === 'toolCall' ? part['id'] : part['type'] === 'tool-call' ? part['toolCallId'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

export function pieceOf(part: unknown, results: ReadonlyMap<string, CallResult> = new Map()): Piece {
  if (!isPlain(part)) return { kind: 'text', text: String(part) };
  const { type, text, thinking, data, mimeType } = part;
  const id = callId(part);
  if (id !== undefined) {
    const { name, toolName, arguments: args, input } = part;
    const result = results.get(id);
    return {
      kind: 'call',
      id,
      tool: String(name ?? toolName ?? ''),
      input: (args ?? input ?? {}) as Fields,
      ...(result && { result: plainResult(result) }),
    };
  }
  if (type === 'text' && typeof text === 'string') return { kind: 'text', text };
  if (type === 'thinking') return { kind: 'thinking', text: String(thinking ?? '') };
  if (type === 'reasoning') return { kind: 'thinking', text: String(text ?? '') };
  if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string')
    return { kind: 'image', data, mimeType };
  return { kind: 'other', part };
}

interface NamedResult extends CallResult {
  readonly tool: string;
}
const plainResult = ({ text, isError, details }: CallResult): CallResult => ({
  text,
  isError,
  ...(details !== undefined && { details }),
});

/** Returns pairs of call id and result. */
export function resultsIn(message: unknown): [string, NamedResult][] {
  if (!isResult(message)) return [];
  const { role, toolCallId, toolName, content, isError, details } = message;
  if (role === 'toolResult') {
    const result = { text: textIn(content), isError: isError === true, details };
    return [[String(toolCallId), { tool: String(toolName ?? ''), ...plainResult(result) }]];
  }
  return (Array.isArray(content) ? content : []).filter(isPlain).flatMap((part): [string, NamedResult][] => {
    if (part['type'] !== 'tool-result') return [];
    const output: Fields = isPlain(part['output']) ? part['output'] : { value: part['output'] };
    const failed = String(output['type'] ?? '').startsWith('error');
    const result = { tool: String(part['toolName'] ?? ''), text: textIn(output['value']), isError: failed };
    return [[String(part['toolCallId']), result]];
  });
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? contentText(value, '\n') : (JSON.stringify(value) ?? '');
}
