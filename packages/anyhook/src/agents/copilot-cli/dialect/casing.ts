/** Translates camelCase events: their payloads have other keys and tool names and do not name the event. */

import type { Fields } from '../../../events/effects.ts';
import { isFields } from '../../../events/fields.ts';
import { TOOLS, type ToolName } from '../../../events/tools.ts';
import { tools } from './tools.ts';

const isCamel = (word: string): boolean => /^[a-z]/.test(word);

/** Pascal to camel case, for keys that differ by more than case. */
const KEYS: Readonly<Record<string, string>> = {
  tool_input: 'toolArgs',
  stop_hook_active: 'stop_hook_active',
};
const camel = (key: string): string =>
  KEYS[key] ?? key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const snake = (key: string): string =>
  key === 'toolArgs' || key === 'toolInput'
    ? 'tool_input'
    : key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const LOWER = new Map(
  (Object.keys(TOOLS) as ToolName[]).flatMap((tool) => {
    const [upper, lower = upper] = tools[tool]?.names ?? [];
    return upper === undefined ? [] : [[upper, lower!]];
  }),
);

/** Returns the payload for a hook of this event. */
export function write(word: string, document: Fields): Fields {
  const now = new Date();
  const full = { timestamp: now.toISOString(), ...document, ...more(word, document) };
  if (isEitherWay(word))
    return {
      ...(isCamel(word) ? inCamel(full) : full),
      ...eitherWay(word, document),
      timestamp: now.getTime(),
    };
  return isCamel(word) ? { ...inCamel(full), timestamp: now.getTime() } : full;
}

function inCamel(document: Fields): Fields {
  const { hook_event_name: _, tool_name: tool, tool_result: result, ...rest } = document;
  return {
    ...renamed(rest, camel),
    ...(typeof tool === 'string' && { toolName: LOWER.get(tool) ?? tool }),
    ...(isFields(result) && { toolResult: renamed(result, camel) }),
  };
}

/** Returns additional fields of some payloads. */
function more(word: string, { error, agent_type: agent, last_assistant_message: said }: Fields): Fields {
  if (/^errorOccurred$/i.test(word))
    return isFields(error) ? {} : { error: { message: error ?? '', name: 'Error' } };
  if (/^(?:agentStop|stop)$/i.test(word)) return { stop_reason: 'end_turn' };
  if (!/^subagentStop$/i.test(word)) return {};
  return { stop_reason: 'end_turn', agent_name: agent, ...(isCamel(word) && { response: said ?? '' }) };
}

/** These events have the same keys in both cases. */
const isEitherWay = (word: string): boolean =>
  /^(?:permissionRequest|notification|subagentStart)$/i.test(word);

function eitherWay(word: string, document: Fields): Fields {
  const { session_id: session, transcript_path: transcript, tool_name: tool, tool_input: input } = document;
  const shared = { sessionId: session, ...(transcript !== undefined && { transcriptPath: transcript }) };
  if (/^subagentStart$/i.test(word)) return { ...shared, agentName: document['agent_type'] };
  if (/^notification$/i.test(word)) {
    const { message, notification_type: kind } = document;
    return {
      ...shared,
      message,
      title: TITLES[String(kind)] ?? '',
      hook_event_name: 'Notification',
      notification_type: kind,
    };
  }
  const toolName = LOWER.get(String(tool)) ?? tool;
  return { ...shared, hookName: 'permissionRequest', toolName, toolInput: input, permissionSuggestions: [] };
}
const TITLES: Readonly<Record<string, string>> = { permission_prompt: 'Permission needed' };

/** Converts any payload to the keys of PascalCase events. */
export function read(native: Fields): Fields {
  const { toolResult: result, hookName: word, ...rest } = native;
  return {
    ...(word !== undefined && { hook_event_name: word }),
    ...renamed(rest, snake),
    ...(isFields(result) && { tool_result: renamed(result, snake) }),
  };
}

const renamed = (fields: Fields, name: (key: string) => string): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [name(key), value]));
