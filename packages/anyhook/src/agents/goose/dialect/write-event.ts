/** Writes an event for Goose hooks: documented fields first, then their later names. */

import { isPlain, same } from '../../../events/changes.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { callIn, respell } from '../../../events/lexicon.ts';
import type { ToolColumn } from '../../../events/tools.ts';
import { wordIn, withAliases } from './aliases.ts';
import type { GooseWord } from './names.ts';
import { isNative } from './read-event.ts';
import { editorTools, tools } from './tools.ts';

export function writeEvent(event: Event, word: string, column: ToolColumn = tools): Fields {
  const { raw } = event;
  return isNative(raw) && wordIn(raw) === word ? again(raw, event, word) : anew(event, word, column);
}
/** For a hook whose matcher names Goose's editor. */
export const writeEditorEvent = (event: Event, word: string): Fields => writeEvent(event, word, editorTools);

/** Keeps the native payload, except for changed fields, the folder of the hook, and our own flag. */
function again(raw: Fields, event: Event, word: string): Fields {
  const { input, active } = event.payload as { input?: Fields; active?: boolean };
  const shown = input === undefined ? undefined : respell(input, event.native);
  return withAliases(
    {
      ...raw,
      ...(shown !== undefined && changed(raw, shown) && { tool_input: shown }),
      ...(raw['cwd'] === undefined && raw['working_dir'] === undefined && { cwd: event.scene.cwd }),
      ...(STOPS.has(word) && { stop_hook_active: active === true }),
    },
    word,
  );
}
const STOPS: ReadonlySet<string> = new Set<GooseWord>(['Stop', 'SubagentStop']);
const changed = ({ tool_input: before }: Fields, now: Fields): boolean =>
  isPlain(before) && !same(before, now);

function anew(event: Event, word: string, column: ToolColumn): Fields {
  const fields = event.name === 'other' ? bodyOf(event) : (FIELDS[word as GooseWord]?.(event, column) ?? {});
  return withAliases(
    {
      hook_event_name: word,
      session_id: event.ids.session,
      ...fields,
      cwd: event.scene.cwd,
      ...(event.ids.call !== undefined && 'tool_name' in fields && { tool_call_id: event.ids.call }),
      matcher_context: contextFor(word, fields),
    },
    word,
  );
}

/** Uses the documented tool name, so that scripts comparing `tool_name` with `developer__shell` work in every agent. */
function call(event: Event, column: ToolColumn): { tool_name: string; tool_input: Fields } {
  const { tool, input } = callIn(column, event);
  return { tool_name: tool, tool_input: input };
}

const load = (event: Event): Fields => event.payload as Fields;
const some = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
const counts = (event: Event, before: string): Fields => ({
  ...some({ pre_compact_message_count: load(event)[before] }),
  manual_compact: load(event)['trigger'] === 'manual',
});
const stop = (event: Event): Fields => ({
  ...some({ reason: load(event)['reason'], last_assistant_text: load(event)['lastMessage'] }),
  stop_hook_active: load(event)['active'] === true,
});

const FIELDS: { readonly [E in GooseWord]?: (event: Event, column: ToolColumn) => Fields } = {
  UserPromptSubmit: (event) => ({ user_prompt: load(event)['prompt'] ?? '' }),
  PreToolUse: call,
  BeforeShellExecution: call,
  BeforeReadFile: call,
  PermissionRequest: call,
  PostToolUse: (event, column) => ({ ...call(event, column), tool_output: outputOf(load(event)['content']) }),
  AfterShellExecution: (event, column) => ({
    ...call(event, column),
    tool_output: outputOf(load(event)['content']),
  }),
  PostToolUseFailure: (event, column) => ({ ...call(event, column), tool_error: load(event)['error'] ?? '' }),
  PreToolUseResult: (event, column) => ({
    ...call(event, column),
    decision: 'deny',
    policy_evaluated: true,
    ...some({ reason: load(event)['reason'] }),
  }),
  AfterFileEdit: (event) => ({ tool_input: { path: load(event)['file'] } }),
  PreCompact: (event) => counts(event, 'messageCount'),
  PostCompact: (event) => ({
    ...counts(event, 'before'),
    ...some({ post_compact_message_count: load(event)['after'] }),
  }),
  Stop: stop,
  SubagentStop: stop,
  SessionEnd: (event) => some({ reason: load(event)['reason'] }),
  Notification: (event) => some({ notification_type: load(event)['kind'], message: load(event)['message'] }),
};

const bodyOf = (event: Event): Fields => {
  const { body } = load(event);
  return isPlain(body) ? body : {};
};

/** Text parts become strings, as documented. Other parts are unchanged. */
const outputOf = (content: unknown): unknown[] =>
  (Array.isArray(content) ? content : []).map((part: unknown) => {
    const { type, text } = isPlain(part) ? part : {};
    return type === 'text' && typeof text === 'string' ? text : part;
  });

/** The fields that current Goose's matchers read. */
function contextFor(word: string, { tool_name, tool_input, user_prompt }: Fields): unknown {
  const input = (tool_input ?? {}) as Fields;
  if (word.endsWith('ShellExecution')) return input['command'] ?? null;
  if (word === 'AfterFileEdit' || word === 'BeforeReadFile') return input['path'] ?? null;
  return tool_name ?? user_prompt ?? null;
}
