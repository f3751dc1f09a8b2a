/**
 * Converts turns back to the host's messages. Messages and parts that did not change are returned as the same
 * objects.
 */

import { isPlain, same } from './changes.ts';
import {
  type CallResult,
  isOfSdk,
  isResult,
  partsIn,
  type Piece,
  pieceOf,
  type PlacedPiece,
  readTurns,
  resultsIn,
  type Turn,
} from './conversation.ts';
import type { Fields } from './effects.ts';

export function writeTurns(turns: readonly Turn[], messages: readonly unknown[]): readonly unknown[] {
  const had = readTurns(messages);
  if (same(turns, had)) return messages;
  const sdk = isOfSdk(messages);
  return turns.flatMap((turn) => {
    const before = turn.at === undefined ? undefined : messages[turn.at];
    const was = had.find(({ at }) => at !== undefined && at === turn.at);
    const own = isResult(before) ? [] : [same(turn, was) ? before : messageFrom(turn, before, sdk)];
    return [...own, ...resultMessages(turn, messages, sdk)];
  });
}

function messageFrom({ role, pieces }: Turn, before: unknown, sdk: boolean): Fields {
  const base: Fields = isPlain(before) ? before : { role };
  const parts = before === undefined ? [] : partsIn(before);
  const list = pieces.map((piece) =>
    partFrom(piece, piece.at === undefined ? undefined : parts[piece.at], sdk),
  );
  const texts = pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : []));
  if (typeof base['summary'] === 'string' && base['content'] === undefined)
    return { ...base, summary: texts.join('\n') };
  const isPlainText = typeof base['content'] === 'string' && list.length === 1 && texts.length === 1;
  return { ...base, content: isPlainText ? texts[0] : list };
}

function partFrom({ at: _at, ...piece }: PlacedPiece, before: unknown, sdk: boolean): unknown {
  const { result: _result, ...fields } = piece as Piece & { result?: CallResult };
  if (before !== undefined && same(pieceOf(before), fields)) return before;
  const base = isPlain(before) ? before : {};
  switch (piece.kind) {
    case 'text':
      return { ...base, type: 'text', text: piece.text };
    case 'thinking':
      return sdk
        ? { ...base, type: 'reasoning', text: piece.text }
        : { ...base, type: 'thinking', thinking: piece.text };
    case 'image':
      return { ...base, type: 'image', data: piece.data, mimeType: piece.mimeType };
    case 'call':
      return sdk
        ? { ...base, type: 'tool-call', toolCallId: piece.id, toolName: piece.tool, input: piece.input }
        : { ...base, type: 'toolCall', id: piece.id, name: piece.tool, arguments: piece.input };
    case 'other':
      return piece.part;
  }
}

/**
 * Restores the positions of pieces that a hook returned without them, by their content, or by their order if
 * the number of pieces is the same.
 */
export function placedPieces(pieces: readonly Piece[], had: readonly PlacedPiece[]): PlacedPiece[] {
  return pieces.map((piece, index) => {
    const found = had.findIndex(({ at: _at, ...other }) => same(other, piece));
    const was = had[found !== -1 ? found : pieces.length === had.length ? index : -1];
    return was?.at === undefined ? piece : { ...piece, at: was.at };
  });
}

/** Returns the tool results after a turn. If a call was removed, its result is removed too. */
function resultMessages({ pieces }: Turn, messages: readonly unknown[], sdk: boolean): unknown[] {
  const calls = pieces.flatMap((piece) => (piece.kind === 'call' && piece.result ? [piece] : []));
  const results = new Map(calls.map(({ id, result }) => [id, result!]));
  const updatedMessages = messages.flatMap((message) => {
    const ids = resultsIn(message).map(([id]) => id);
    return ids.some((id) => results.has(id)) ? [withResults(message as Fields, results)] : [];
  });
  const known = new Set(messages.flatMap((message) => resultsIn(message).map(([id]) => id)));
  const fresh = calls.filter(({ id }) => !known.has(id));
  return [...updatedMessages, ...fresh.map((call) => newResult(call, sdk))];
}

function withResults(message: Fields, results: ReadonlyMap<string, CallResult>): Fields {
  const had = new Map(resultsIn(message));
  const isSame = (id: string) => {
    const { tool: _tool, ...was } = had.get(id)!;
    return same(was, results.get(id));
  };
  if ([...had.keys()].every((id) => results.has(id) && isSame(id))) return message;
  if (message['role'] === 'toolResult') {
    const { text, isError, details } = results.get(String(message['toolCallId']))!;
    const content = withText(message['content'], text);
    return { ...message, content, isError, ...(details !== undefined && { details }) };
  }
  const content = (message['content'] as unknown[]).flatMap((part) => {
    const id = isPlain(part) ? String(part['toolCallId']) : '';
    if (!had.has(id)) return [part];
    const result = results.get(id);
    if (result === undefined) return [];
    return [
      isSame(id) ? part : { ...(part as Fields), output: outputFrom((part as Fields)['output'], result) },
    ];
  });
  return { ...message, content };
}

/** Puts the text first and keeps all parts that are not text. */
function withText(content: unknown, text: string): unknown[] {
  const rest = (Array.isArray(content) ? (content as unknown[]) : []).filter(
    (part) => !(isPlain(part) && typeof part['text'] === 'string'),
  );
  return [{ type: 'text', text }, ...rest];
}

function outputFrom(before: unknown, { text, isError }: CallResult): Fields {
  const value = isPlain(before) ? before['value'] : undefined;
  if (Array.isArray(value) && !isError) return { type: 'content', value: withText(value, text) };
  return { type: isError ? 'error-text' : 'text', value: text };
}

function newResult({ id, tool, result }: Piece & { kind: 'call' }, sdk: boolean): Fields {
  const { text, isError, details } = result!;
  if (sdk) {
    const output = outputFrom(undefined, result!);
    return { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: tool, output }] };
  }
  const more = details === undefined ? {} : { details };
  return {
    role: 'toolResult',
    toolCallId: id,
    toolName: tool,
    content: withText([], text),
    isError,
    ...more,
  };
}
