/**
 * Converts messages of OpenCode as the host to our format for hooks of all dialects, and back part by part. Unchanged
 * messages and parts keep their identity.
 */

import { isPlain, same } from '../../../events/changes.ts';
import { placedPieces, writeTurns } from '../../../events/conversation-back.ts';
import { type PlacedPiece, readTurns, type Turn } from '../../../events/conversation.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { type Lexicon, makeLexicon } from '../../../events/lexicon.ts';
import { isTheirs, type OpenCodeMessage, shownTurn, type Whereabouts } from './messages.ts';
import { partId } from './part-id.ts';
import { partOf, pieceFrom } from './part.ts';
import { tools } from './tools.ts';

/** Created only if OpenCode is the host, so that loading this module stays fast. */
let words: Lexicon | undefined;
const lexicon = (): Lexicon => (words ??= makeLexicon([tools]));

export function messagesFromOpencode(native: readonly unknown[]): readonly unknown[] {
  return native.filter(isTheirs).flatMap(({ info, parts }) => {
    const pieces = parts.map((part) => withoutPlace(ourPiece(part)));
    const role = info['role'] === 'assistant' ? 'assistant' : 'user';
    const [own = { role, content: [] }, ...results] = writeTurns([{ role, pieces }], []);
    const time: Fields = isPlain(info['time']) ? info['time'] : {};
    const timestamp = typeof time['created'] === 'number' ? { timestamp: time['created'] } : {};
    return [{ ...(own as Fields), id: info['id'], ...timestamp }, ...results];
  });
}

const withoutPlace = ({ at: _at, ...piece }: PlacedPiece): PlacedPiece => piece;

/** Uses our names of tools and arguments. */
function ourPiece(part: unknown): PlacedPiece {
  const piece = pieceFrom(part);
  if (piece.kind !== 'call') return piece;
  const { tool, input } = lexicon().read(piece.tool, piece.input);
  return { ...piece, tool, input };
}

/** The messages that OpenCode sent with this event; undefined in another host. */
export function nativeIn({ raw }: Event): readonly OpenCodeMessage[] | undefined {
  const output: unknown = isPlain(raw) ? raw['output'] : undefined;
  const messages: unknown = isPlain(output) ? output['messages'] : undefined;
  return Array.isArray(messages) && messages.some(isTheirs) ? messages.filter(isTheirs) : undefined;
}

export function opencodeMessages(
  ours: readonly unknown[],
  native: readonly OpenCodeMessage[],
  where: Whereabouts,
): readonly OpenCodeMessage[] {
  const known = new Map(native.map((message) => [message.info['id'], message]));
  return readTurns(ours).map((turn) => {
    const message = ours[turn.at!];
    const was = known.get(isPlain(message) ? message['id'] : undefined);
    return was === undefined ? shownTurn(turn, message, where) : changedMessage(turn, was);
  });
}

function changedMessage({ pieces }: Turn, was: OpenCodeMessage): OpenCodeMessage {
  const had = was.parts.map((part, at): PlacedPiece => ({ ...ourPiece(part), at }));
  const placed = placedPieces(pieces.map(withoutPlace), had);
  const parts = placed.map((piece, index) => {
    const before = piece.at === undefined ? undefined : was.parts[piece.at];
    if (before === undefined) return newPart(piece, was, index);
    return same(withoutPlace(piece), withoutPlace(had[piece.at!]!)) ? before : changedPart(before, piece);
  });
  return same(parts, was.parts) ? was : { ...was, parts };
}

/** Unchanged fields of a part, such as times, titles and argument names, are kept. */
function changedPart(before: Fields, piece: PlacedPiece): Fields {
  const { time: _time, ...said } = partOf(piece);
  if (piece.kind !== 'call' || !isPlain(before['state']) || !isPlain(said['state']))
    return { ...before, ...said };
  const { time: _at, title: _title, metadata: _metadata, ...state } = said['state'];
  const input = inOwnNames(piece.input, String(before['tool']), before['state']['input']) ?? state['input'];
  return { ...before, ...said, state: { ...before['state'], ...state, input } };
}

/** Undefined: its arguments are lists with names of their own. */
function inOwnNames(input: Fields, tool: string, before: unknown): Fields | undefined {
  const { native } = lexicon().read(tool, isPlain(before) ? before : {});
  if (native.items !== undefined) return undefined;
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [native.args[name] ?? name, value]));
}

const newPart = (piece: PlacedPiece, { info }: OpenCodeMessage, index: number): Fields => {
  const [messageID, sessionID] = [String(info['id']), info['sessionID']];
  return { id: `${partId(messageID, index)}_new`, sessionID, messageID, ...partOf(piece) };
};
