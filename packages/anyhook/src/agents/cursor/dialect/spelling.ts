/**
 * Converts Cursor's payloads to the shared keys of command hooks and back. Its specific events describe a call with
 * other fields.
 */

import type { Fields } from '../../../events/effects.ts';
import { isFields } from '../../../events/fields.ts';
import { given } from '../../shared/claude-shaped/translation.ts';

/** Shared keys to Cursor's, in every payload. */
const KEYS: Readonly<Record<string, string>> = {
  session_id: 'conversation_id',
  agent_id: 'subagent_id',
  agent_type: 'subagent_type',
  error: 'error_message',
};
const SHARED = Object.fromEntries(Object.entries(KEYS).map(([ours, theirs]) => [theirs, ours]));

const renamed = (fields: Fields, names: Readonly<Record<string, string>>): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [names[key] ?? key, value]));

type SecondWord = {
  /** Returns the payload fields of a call. */
  readonly write: (document: Fields) => Fields;
  readonly read: (payloadFields: Fields) => Fields;
};
const inputOf = ({ tool_input: input }: Fields): Fields => (isFields(input) ? input : {});
const shell: SecondWord = {
  write: (document) => ({
    ...given({ command: inputOf(document)['command'], output: document['tool_output'] }),
    cwd: document['cwd'],
  }),
  read: ({ command, output }) => ({
    tool_name: 'Shell',
    tool_input: { command },
    ...given({ tool_output: output }),
  }),
};
const server: SecondWord = {
  write: ({ tool_name, tool_input, tool_output }) => ({
    tool_name,
    tool_input: JSON.stringify(tool_input),
    ...given({ result_json: tool_output }),
  }),
  read: ({ tool_name: name, tool_input: input, result_json: result }) => ({
    tool_name: /^(?:mcp__|MCP:)/.test(String(name)) ? name : `MCP:${String(name)}`,
    tool_input: parsed(input),
    ...given({ tool_output: result }),
  }),
};
const SECOND: Readonly<Record<string, SecondWord>> = {
  beforeShellExecution: shell,
  afterShellExecution: shell,
  beforeMCPExecution: server,
  afterMCPExecution: server,
  beforeReadFile: {
    write: (document) => given({ file_path: inputOf(document)['file_path'] }),
    read: ({ file_path }) => ({ tool_name: 'Read', tool_input: { file_path } }),
  },
};
const CALL_KEYS = ['tool_name', 'tool_input', 'tool_output', 'tool_use_id'];

const anew = (word: string): boolean => Object.hasOwn(SECOND, word);

/** The release that this dialect is based on. Hooks in other agents receive this version, because some require one. */
const DOCUMENTED_VERSION = '2.4.0';
export const versionIn = ({ cursor_version: version }: Fields): string =>
  typeof version === 'string' && version !== '' ? version : DOCUMENTED_VERSION;

function write(word: string, document: Fields, native: Fields): Fields {
  const { stop_hook_active: active, ...rest } = renamed(document, KEYS);
  const { generation_id, user_email } = native;
  const roots = {
    workspace_roots: [document['cwd']],
    cursor_version: versionIn(native),
    ...given({ generation_id, user_email }),
  };
  if (!anew(word)) return { ...rest, ...roots, ...ofSession(word, document), ...ofEnd(active) };
  const common = Object.fromEntries(Object.entries(rest).filter(([key]) => !CALL_KEYS.includes(key)));
  return { ...common, ...roots, ...SECOND[word]!.write(document) };
}

/** Sent next to `conversation_id`, which has the same value. */
const ofSession = (word: string, { session_id }: Fields): Fields =>
  /^session(?:Start|End)$/.test(word) ? { session_id } : {};
/**
 * Hooks use the count to detect that they have already resumed the agent. Other agents do not send the exact number.
 */
const ofEnd = (active: unknown): Fields =>
  active === undefined ? {} : { status: 'completed', loop_count: active === true ? 1 : 0 };

function read(payloadFields: Fields): Fields {
  const [root] = Array.isArray(payloadFields['workspace_roots'])
    ? (payloadFields['workspace_roots'] as unknown[])
    : [];
  const count = payloadFields['loop_count'];
  const word = String(payloadFields['hook_event_name']);
  return {
    ...given({ cwd: root }),
    ...renamed(payloadFields, SHARED),
    ...(typeof count === 'number' && { stop_hook_active: count > 0 }),
    ...(anew(word) && SECOND[word]!.read(payloadFields)),
  };
}

function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  try {
    return JSON.parse(input) as unknown;
  } catch {
    return { input };
  }
}

export const cursorSpelling = { write, read, anew };
