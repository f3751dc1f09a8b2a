/** A host's messages as oh-my-pi has them: its names of tools, the whole of `usage`; and back, where a handler hands some in. */
import { isPlain } from '../../canon/changes.ts';
import type { Fields } from '../../canon/effects.ts';
import { namesIn } from '../../canon/lexicon.ts';
import { tools } from './tools.ts';

export const theirMessages = (messages: unknown): unknown =>
  Array.isArray(messages) ? messages.map(theirMessage) : messages;

export function theirMessage(message: unknown): unknown {
  if (!isPlain(message)) return message;
  const { content, toolName, usage } = message;
  return {
    ...message,
    ...(typeof toolName === 'string' && { toolName: theirName(toolName) }),
    ...(Array.isArray(content) && { content: content.map((part) => renamed(part, theirName)) }),
    ...(isPlain(usage) && { usage: wholeUsage(usage) }),
  };
}

/** What a handler left alone is the host's own again; of the rest the names go back, call by call. */
export function ourMessages(said: unknown, before: unknown): unknown {
  if (!Array.isArray(said) || !Array.isArray(before)) return said;
  const known = new Map(before.map((message) => [JSON.stringify(theirMessage(message)), message as unknown]));
  const names = new Map(before.filter(isPlain).flatMap(callsIn));
  const ownName = (name: string, call: unknown) => names.get(String(call)) ?? name;
  return said.map((message: unknown) => {
    const same = known.get(JSON.stringify(message));
    if (same !== undefined || !isPlain(message)) return same ?? message;
    const { content, toolName, toolCallId } = message;
    return {
      ...message,
      ...(typeof toolName === 'string' && { toolName: ownName(toolName, toolCallId) }),
      ...(Array.isArray(content) && { content: content.map((part) => renamed(part, ownName)) }),
    };
  });
}

const theirName = (tool: string): string => namesIn(tools, tool)[0] ?? tool;

function renamed(part: unknown, name: (tool: string, call: unknown) => string): unknown {
  if (!isPlain(part) || part['type'] !== 'toolCall' || typeof part['name'] !== 'string') return part;
  return { ...part, name: name(part['name'], part['id']) };
}

/** Call → what the host calls its tool. */
function callsIn({ content, toolName, toolCallId }: Fields): [string, string][] {
  const parts = (Array.isArray(content) ? content : []).filter(isPlain);
  const calls = parts.flatMap(({ type, id, name }): [string, string][] =>
    type === 'toolCall' ? [[String(id), String(name)]] : [],
  );
  return typeof toolName === 'string' ? [...calls, [String(toolCallId), toolName]] : calls;
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
