/** The camelCase words: their documents have other keys, other names for tools, and do not say which event it is. */
import type { Fields } from '../../canon/effects.ts';
import { isFields } from '../../canon/fields.ts';
import { tools } from './tools.ts';

const isCamel = (word: string): boolean => /^[a-z]/.test(word);

/** Pascal → camel, where it is more than another spelling. */
const KEYS: Readonly<Record<string, string>> = {
  tool_input: 'toolArgs',
  stop_hook_active: 'stop_hook_active',
};
const camel = (key: string): string =>
  KEYS[key] ?? key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const snake = (key: string): string =>
  key === 'toolArgs' ? 'tool_input' : key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const LOWER = new Map(
  Object.values(tools).flatMap((one) => (one === null ? [] : [[one.names[0], one.names[1] ?? one.names[0]]])),
);

/** What a hook of this word is told. */
export function write(word: string, document: Fields): Fields {
  if (!isCamel(word)) return document;
  const { hook_event_name: _, tool_name: tool, tool_result: result, ...rest } = document;
  return {
    ...renamed(rest, camel),
    ...(typeof tool === 'string' && { toolName: LOWER.get(tool) ?? tool }),
    ...(isFields(result) && { toolResult: renamed(result, camel) }),
  };
}

/** Any of its documents, with the keys of the PascalCase ones. */
export function read(said: Fields): Fields {
  const { toolResult: result, hookName: word, ...rest } = said;
  return {
    ...(word !== undefined && { hook_event_name: word }),
    ...renamed(rest, snake),
    ...(isFields(result) && { tool_result: renamed(result, snake) }),
  };
}

const renamed = (fields: Fields, name: (key: string) => string): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [name(key), value]));
