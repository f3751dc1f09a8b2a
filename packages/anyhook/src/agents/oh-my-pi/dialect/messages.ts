/**
 * Converts a host's messages to oh-my-pi's format: its roles, names of tools and arguments, and complete `usage`.
 * Messages from a handler are converted back, and unchanged ones keep their identity.
 */

import { apply, isPlain, same } from '../../../events/changes.ts';
import { placedPieces, writeTurns } from '../../../events/conversation-back.ts';
import { isOfSdk, readTurns, type Turn } from '../../../events/conversation.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { callIn, changesIn, namesIn } from '../../../events/lexicon.ts';
import { tools } from './tools.ts';

export const theirMessages = (messages: unknown): unknown =>
  Array.isArray(messages) ? inTheirShape(messages).map(theirMessage) : messages;

/** Converts calls and results of the AI SDK to the shared format. */
const inTheirShape = (messages: readonly unknown[]): readonly unknown[] =>
  isOfSdk(messages) ? writeTurns(readTurns(messages).map(withoutPlaces), []) : messages;

const withoutPlaces = ({ role, pieces }: Turn): Turn => ({
  role,
  pieces: pieces.map(({ at: _at, ...piece }) => piece),
});

export function theirMessage(message: unknown): unknown {
  if (!isPlain(message)) return message;
  const { content, toolName, usage, stopReason } = message;
  return {
    ...message,
    ...(stopReason === 'tool-calls' && { stopReason: 'toolUse' }),
    ...(typeof toolName === 'string' && { toolName: theirName(toolName) }),
    ...(Array.isArray(content) && { content: content.map(theirPart) }),
    ...(isPlain(usage) && { usage: wholeUsage(usage) }),
  };
}

const theirName = (tool: string): string => namesIn(tools, tool)[0] ?? tool;

function theirPart(part: unknown): unknown {
  if (!isCall(part)) return part;
  const { tool, input } = callIn(tools, asEvent(part));
  return { ...part, name: tool, arguments: input };
}

interface CallPart extends Fields {
  readonly id: string;
  readonly name: string;
  readonly arguments: Fields;
}
const isCall = (part: unknown): part is CallPart =>
  isPlain(part) &&
  part['type'] === 'toolCall' &&
  typeof part['name'] === 'string' &&
  isPlain(part['arguments']);
/** Wraps a call of the conversation as an event, for functions that expect one. */
const asEvent = ({ name, arguments: input }: CallPart) =>
  ({ payload: { tool: name, input } }) as unknown as Event;

export function ourMessages(messages: unknown, before: unknown): unknown {
  if (!Array.isArray(messages) || !Array.isArray(before)) return messages;
  const own = inTheirShape(before);
  const known = new Map(own.map((message) => [JSON.stringify(theirMessage(message)), message]));
  const calls = new Map(own.flatMap((message) => callsIn(message)));
  const names = new Map(own.flatMap((message) => nameIn(message)));
  const changed = messages.map(
    (message: unknown) => known.get(JSON.stringify(message)) ?? ourMessage(message, calls, names),
  );
  return own === before ? changed : writeTurns(placed(readTurns(changed), readTurns(before)), before);
}

/** Restores the names in a changed message, call by call. */
function ourMessage(
  message: unknown,
  calls: ReadonlyMap<string, CallPart>,
  names: ReadonlyMap<string, string>,
): unknown {
  if (!isPlain(message)) return message;
  const { content, toolName, toolCallId } = message;
  const ours = (part: unknown): unknown => {
    const was = isCall(part) ? calls.get(part.id) : undefined;
    if (!isCall(part) || was === undefined || part.name !== theirName(was.name)) return part;
    const { input } = apply({ input: was.arguments }, changesIn(tools, asEvent(was), part.arguments));
    return { ...part, name: was.name, arguments: input };
  };
  return {
    ...message,
    ...(typeof toolName === 'string' && { toolName: names.get(String(toolCallId)) ?? toolName }),
    ...(Array.isArray(content) && { content: content.map(ours) }),
  };
}

const callsIn = (message: unknown): [string, CallPart][] =>
  (isPlain(message) && Array.isArray(message['content']) ? message['content'] : [])
    .filter(isCall)
    .map((part) => [part.id, part]);
/** Returns the host's name for the tool of a result. */
const nameIn = (message: unknown): [string, string][] =>
  isPlain(message) && typeof message['toolName'] === 'string'
    ? [[String(message['toolCallId']), message['toolName']]]
    : [];

/** These messages have no ids. A turn is recognised by its content, or by its index if none was added or removed. */
function placed(turns: readonly Turn[], had: readonly Turn[]): Turn[] {
  const bare = had.map(withoutPlaces);
  return turns.map((turn, index) => {
    const fresh = withoutPlaces(turn);
    const found = bare.findIndex((other) => same(other, fresh));
    const was = had[found !== -1 ? found : turns.length === had.length ? index : -1];
    return was === undefined
      ? fresh
      : { ...fresh, at: was.at!, pieces: placedPieces(fresh.pieces, was.pieces) };
  });
}

function wholeUsage(usage: Fields): Fields {
  const count = (key: string) => (typeof usage[key] === 'number' ? usage[key] : 0);
  const total = ['input', 'output', 'cacheRead', 'cacheWrite'].reduce((sum, key) => sum + count(key), 0);
  return {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: total,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    ...usage,
  };
}
