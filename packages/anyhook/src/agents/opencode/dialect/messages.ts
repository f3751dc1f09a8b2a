/**
 * Converts a conversation to OpenCode's format: `{ info, parts }`, with a call and its result in one part, and
 * OpenCode's names of tools and arguments. Messages of other hosts are converted back part by part, and unchanged
 * messages keep their identity.
 */

import { isPlain, same } from '../../../events/changes.ts';
import { writeTurns } from '../../../events/conversation-back.ts';
import { type PlacedPiece, readTurns, type Turn } from '../../../events/conversation.ts';
import type { Fields } from '../../../events/effects.ts';
import { partId } from './part-id.ts';
import { pieceFrom, partOf } from './part.ts';

/** Session data of the conversation. */
export interface Whereabouts {
  readonly session: string;
  readonly cwd: string;
  readonly model?: string;
}
export interface OpenCodeMessage extends Fields {
  readonly info: Fields;
  readonly parts: readonly Fields[];
}

export const isTheirs = (message: unknown): message is OpenCodeMessage =>
  isPlain(message) && isPlain(message['info']) && Array.isArray(message['parts']);

export function shownMessages(messages: readonly unknown[], where: Whereabouts): readonly OpenCodeMessage[] {
  if (messages.some(isTheirs)) return messages.filter(isTheirs);
  return readTurns(messages).map((turn) => shownTurn(turn, messages[turn.at!], where));
}

export function shownTurn({ role, pieces, at }: Turn, message: unknown, where: Whereabouts): OpenCodeMessage {
  const native: Fields = isPlain(message) ? message : {};
  const messageID = typeof native['id'] === 'string' ? native['id'] : `msg_${at}`;
  const ids = { sessionID: where.session, messageID };
  const isOfNobody = role === 'user' && native['role'] !== 'user';
  const parts = pieces.map((piece, place) => ({
    id: partId(messageID, place),
    ...ids,
    ...partOf(piece),
    ...(isOfNobody && piece.kind === 'text' && { synthetic: true }),
  }));
  const created = timeOf(native['timestamp']);
  const info = role === 'user' ? userInfo(native, where) : assistantInfo(native, where, created);
  return { info: { id: messageID, sessionID: where.session, role, time: { created }, ...info }, parts };
}

const userInfo = ({ model, provider }: Fields, where: Whereabouts): Fields => ({
  agent: 'build',
  model: { providerID: String(provider ?? ''), modelID: String(model ?? where.model ?? '') },
});

function assistantInfo(native: Fields, { cwd, model }: Whereabouts, created: number): Fields {
  const usage: Fields = isPlain(native['usage']) ? native['usage'] : {};
  const { stopReason } = native;
  return {
    time: { created, ...(stopReason !== undefined && { completed: created }) },
    parentID: '',
    modelID: String(native['model'] ?? model ?? ''),
    providerID: String(native['provider'] ?? ''),
    mode: 'build',
    agent: 'build',
    path: { cwd, root: cwd },
    cost: 0,
    tokens: {
      input: usage['input'] ?? 0,
      output: usage['output'] ?? 0,
      reasoning: 0,
      cache: { read: usage['cacheRead'] ?? 0, write: usage['cacheWrite'] ?? 0 },
    },
    ...(stopReason !== undefined && { finish: stopReason }),
  };
}

const timeOf = (stamp: unknown): number =>
  typeof stamp === 'number' ? stamp : typeof stamp === 'string' ? Date.parse(stamp) || 0 : 0;

/** Converts changed messages back to the host's format. */
export function ownMessages(
  after: readonly unknown[],
  before: readonly unknown[],
  shown: readonly OpenCodeMessage[],
): readonly unknown[] {
  if (before.some(isTheirs)) return after;
  const had = readTurns(before);
  const turns = after.flatMap((message) => {
    if (!isTheirs(message)) return readTurns([message]).map(({ at: _at, ...fresh }) => fresh);
    const place = shown.findIndex(({ info }) => info['id'] === message.info['id']);
    if (place === -1) return [turnFrom(message)];
    return [same(shown[place], message) ? had[place]! : turnFrom(message, shown[place], had[place])];
  });
  return writeTurns(turns, before);
}

function turnFrom({ info, parts }: OpenCodeMessage, shown?: OpenCodeMessage, had?: Turn): Turn {
  const pieces = parts.map((part: unknown): PlacedPiece => {
    const place = isPlain(part) ? (shown?.parts.findIndex(({ id }) => id === part['id']) ?? -1) : -1;
    const was = had?.pieces[place];
    return was !== undefined && same(shown!.parts[place], part) ? was : pieceFrom(part, was);
  });
  const role = info['role'] === 'assistant' ? 'assistant' : 'user';
  return { role, pieces, ...(had?.at !== undefined && { at: had.at }) };
}
