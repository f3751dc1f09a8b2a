/** Converts one piece of a conversation to a part of OpenCode's message, and back. */

import { apply, isPlain, same } from '../../../events/changes.ts';
import type { CallResult, Piece, PlacedPiece } from '../../../events/conversation.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { argsChanges, openCodeCallOf } from './call.ts';

type Call = Piece & { readonly kind: 'call' };

export function partOf(piece: Piece): Fields {
  switch (piece.kind) {
    case 'text':
      return { type: 'text', text: piece.text };
    case 'thinking':
      return { type: 'reasoning', text: piece.text, time: { start: 0 } };
    case 'image':
      return { type: 'file', mime: piece.mimeType, url: `data:${piece.mimeType};base64,${piece.data}` };
    case 'call': {
      const { tool, args } = openCodeCallOf(asEvent(piece));
      return { type: 'tool', callID: piece.id, tool, state: stateOf(args, piece.result) };
    }
    case 'other':
      return isPlain(piece.part) ? piece.part : { type: 'text', text: String(piece.part) };
  }
}

function stateOf(input: Fields, result: CallResult | undefined): Fields {
  if (result === undefined) return { status: 'pending', input, raw: '' };
  const { text, isError, details } = result;
  const metadata = isPlain(details) ? details : {};
  const time = { start: 0, end: 0 };
  return isError
    ? { status: 'error', input, error: text, metadata, time }
    : { status: 'completed', input, output: text, title: '', metadata, time };
}

/** Wraps a call of the conversation as an event, for functions that expect one. */
const asEvent = ({ tool, input }: Call) => ({ payload: { tool, input } }) as unknown as Event;

/** `was` is the original piece. Fields that are missing in the part keep their values. */
export function pieceFrom(part: unknown, was?: PlacedPiece): PlacedPiece {
  const at = was?.at === undefined ? {} : { at: was.at };
  if (!isPlain(part)) return { kind: 'text', text: String(part), ...at };
  const { type, text, url } = part;
  if (type === 'text') return { kind: 'text', text: String(text ?? ''), ...at };
  if (type === 'reasoning') return { kind: 'thinking', text: String(text ?? ''), ...at };
  if (type === 'tool') return { ...callFrom(part, was?.kind === 'call' ? was : undefined), ...at };
  const [, mimeType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(String(url ?? '')) ?? [];
  if (type === 'file' && data !== undefined) return { kind: 'image', data, mimeType: mimeType!, ...at };
  const { id: _id, sessionID: _session, messageID: _message, ...rest } = part;
  return { kind: 'other', part: rest, ...at };
}

function callFrom({ callID, tool, state }: Fields, was: Call | undefined): Call {
  const native: Fields = isPlain(state) ? state : {};
  const result = resultFrom(native, was?.result);
  const more = result === undefined ? {} : { result };
  if (was === undefined || openCodeCallOf(asEvent(was)).tool !== tool) {
    const input = isPlain(native['input']) ? native['input'] : {};
    return { kind: 'call', id: String(callID ?? was?.id ?? ''), tool: String(tool), input, ...more };
  }
  const changes = argsChanges(native['input'], asEvent(was)) ?? [];
  const { input } = apply({ input: was.input }, changes);
  return { kind: 'call', id: was.id, tool: was.tool, input, ...more };
}

function resultFrom(
  { status, output, error, metadata }: Fields,
  was: CallResult | undefined,
): CallResult | undefined {
  if (status !== 'completed' && status !== 'error') return was;
  const isError = status === 'error';
  const shown = isPlain(was?.details) ? was.details : {};
  const details = same(metadata ?? {}, shown) ? was?.details : metadata;
  return {
    text: String((isError ? error : output) ?? ''),
    isError,
    ...(details !== undefined && { details }),
  };
}
