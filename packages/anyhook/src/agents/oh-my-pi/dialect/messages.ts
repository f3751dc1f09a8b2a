/**
 * A host's messages as oh-my-pi has them: its roles, its names of tools and arguments, the whole of `usage`; and back, where
 * a handler hands some in: what it left alone is the very message it was.
 */
import { apply, isPlain, same } from '../../../events/changes.ts';
import { isOfSdk, readTurns, type Turn } from '../../../events/conversation.ts';
import { placedPieces, writeTurns } from '../../../events/conversation-back.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { callIn, changesIn, namesIn } from '../../../events/lexicon.ts';
import { tools } from './tools.ts';

export const theirMessages = (messages: unknown): unknown =>
  Array.isArray(messages) ? inTheirShape(messages).map(theirMessage) : messages;

/** The AI SDK's calls and results in the shape that is theirs and ours. */
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
/** A call of the conversation, for those who know a call by its event. */
const asEvent = ({ name, arguments: input }: CallPart) =>
  ({ payload: { tool: name, input } }) as unknown as Event;

export function ourMessages(said: unknown, before: unknown): unknown {
  if (!Array.isArray(said) || !Array.isArray(before)) return said;
  const own = inTheirShape(before);
  const known = new Map(own.map((message) => [JSON.stringify(theirMessage(message)), message]));
  const calls = new Map(own.flatMap((message) => callsIn(message)));
  const names = new Map(own.flatMap((message) => nameIn(message)));
  const messages = said.map(
    (message: unknown) => known.get(JSON.stringify(message)) ?? ourMessage(message, calls, names),
  );
  return own === before ? messages : writeTurns(placed(readTurns(messages), readTurns(before)), before);
}

/** Of what a handler changed, the names go back, call by call. */
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
/** What the host calls the tool of a result. */
const nameIn = (message: unknown): [string, string][] =>
  isPlain(message) && typeof message['toolName'] === 'string'
    ? [[String(message['toolCallId']), message['toolName']]]
    : [];

/** Their messages bear no ids: a turn is known by what it says, or by its place where none came or went. */
function placed(said: readonly Turn[], had: readonly Turn[]): Turn[] {
  const bare = had.map(withoutPlaces);
  return said.map((turn, index) => {
    const fresh = withoutPlaces(turn);
    const found = bare.findIndex((other) => same(other, fresh));
    const was = had[found !== -1 ? found : said.length === had.length ? index : -1];
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
