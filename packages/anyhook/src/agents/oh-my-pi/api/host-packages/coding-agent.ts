/**
 * The available part of `pi-coding-agent`: what extensions use besides types. Functions that control the agent are
 * missing.
 */

import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { packageFile } from '../../../../own-files.mjs';

export * from './built-in-tools.ts';
export * from './session-data.ts';
export * from './truncate.ts';

/** The release with this API. */
export const VERSION = '0.87.1';
export const CONFIG_DIR_NAME = '.pi';

export const getAgentDir = (): string =>
  process.env['PI_CODING_AGENT_DIR']?.replace(/^~(?=\/|$)/, homedir()) ??
  join(homedir(), CONFIG_DIR_NAME, 'agent');
export const getPackageDir = (): string => packageFile('.');

export const defineTool = <T>(tool: T): T => tool;

interface NamedTool {
  readonly toolName: string;
}
export const isToolCallEventType = (name: string, event: NamedTool): boolean => event.toolName === name;
const isResultOf =
  (name: string) =>
  (event: NamedTool): boolean =>
    event.toolName === name;
export const isBashToolResult = isResultOf('bash');
export const isReadToolResult = isResultOf('read');
export const isEditToolResult = isResultOf('edit');
export const isWriteToolResult = isResultOf('write');
export const isGrepToolResult = isResultOf('grep');
export const isFindToolResult = isResultOf('find');
export const isLsToolResult = isResultOf('ls');

export function parseFrontmatter(content: string): { frontmatter: Record<string, unknown>; body: string } {
  const text = content.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const end = text.startsWith('---') ? text.indexOf('\n---', 3) : -1;
  if (end === -1) return { frontmatter: {}, body: text };
  const frontmatter = parse(text.slice(4, end)) as Record<string, unknown> | null;
  return { frontmatter: frontmatter ?? {}, body: text.slice(end + 4).trim() };
}
export const stripFrontmatter = (content: string): string => parseFrontmatter(content).body;

/** Serialises changes of one file. */
export async function withFileMutationQueue<T>(path: string, work: () => Promise<T>): Promise<T> {
  const key = physical(resolve(path));
  const turn = (changes.get(key) ?? Promise.resolve()).then(work);
  const settled = turn.then(
    () => {},
    () => {},
  );
  changes.set(key, settled);
  void settled.then(() => changes.get(key) === settled && changes.delete(key));
  return await turn;
}
const changes = new Map<string, Promise<void>>();
function physical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export const getLanguageFromPath = (path: string): string | undefined => /\.([\w-]+)$/.exec(path)?.[1];
export const highlightCode = (code: string): string[] => code.split('\n');
export const keyText = (id: string): string => id;
export const rawKeyHint = (key: string, description: string): string => `${key} ${description}`;
export const keyHint = rawKeyHint;

/** Returns the text unchanged, because the host sets colours. */
const asIs = (text: string): string => text;
const TEXT = new Proxy({}, { get: () => asIs });
export const getMarkdownTheme = (): object => TEXT;
export const getSelectListTheme = (): object => TEXT;
export const getSettingsListTheme = (): object => TEXT;
export const theme = TEXT;

interface Message {
  readonly role: string;
  readonly content?: unknown;
}
interface Part {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly arguments?: unknown;
}

/** Messages for a model: model messages are kept, and messages of the agent become user messages. */
export const convertToLlm = (messages: readonly Message[]): Message[] =>
  messages.flatMap((message) => {
    if (['user', 'assistant', 'toolResult'].includes(message.role)) return [message];
    return message.content === undefined ? [] : [{ ...message, role: 'user' }];
  });

const SPEAKERS: Readonly<Record<string, string>> = {
  user: 'User',
  assistant: 'Assistant',
  toolResult: 'Tool result',
};
/** Converts a conversation to text for a summary. */
export const serializeConversation = (messages: readonly Message[]): string =>
  messages
    .flatMap(({ role, content }) => {
      const parts =
        typeof content === 'string' ? [{ type: 'text', text: content }] : ((content ?? []) as Part[]);
      return parts.flatMap(({ type, text, name, arguments: input }) => {
        const who = SPEAKERS[role] ?? role;
        if (type === 'text' && text) return `[${who}]: ${text}`;
        return type === 'toolCall' ? `[${who} tool calls]: ${name}(${JSON.stringify(input)})` : [];
      });
    })
    .join('\n\n');
