/**
 * Claude Code's 33 events, one row each (2.1.325, November 2026): payload, matcher field, handler types and the effect
 * of answers. Everything else in this folder is derived from this table.
 */

import type { ClaudeEvent, HandlerType } from './event-row.ts';
export type { ClaudeBlock, ClaudeEvent, HandlerType, OutputField } from './event-row.ts';

const SOME: readonly HandlerType[] = ['command', 'mcp_tool'];
const MOST: readonly HandlerType[] = ['command', 'http', 'mcp_tool'];
const ALL: readonly HandlerType[] = ['command', 'http', 'mcp_tool', 'prompt', 'agent'];

const row = (event: ClaudeEvent): ClaudeEvent => event;
const named = (fields: string): readonly string[] => fields.split(' ');
/** Columns that several rows share. */
const CALL = ['tool_name', 'tool_input'] as const;
const TOOL = { matcher: 'tool_name', types: ALL, takesIf: true, mode: true } as const;
const OWN = { on: 'other', matcher: null } as const;
const UNHEARD = { block: 'nothing', fields: [], message: 'nobody' } as const;
const PROMPT = {
  types: ALL,
  block: 'deny',
  decides: true,
  plain: true,
  judged: { says: 'deny' },
  mode: true,
} as const;
const COMPACTION = { matcher: 'trigger', types: MOST, fields: [], message: 'nobody' } as const;
const COMPACTED = ['trigger', 'compact_summary'] as const;
const STOP = {
  types: ALL,
  block: 'resume',
  decides: true,
  fields: ['additionalContext'],
  judged: { says: 'resume' },
  mode: true,
  payload: ['stop_hook_active', 'last_assistant_message?', 'background_tasks?', 'session_crons?'],
} as const;
const TASK = {
  ...OWN,
  types: ALL,
  block: 'deny',
  fields: [],
  judged: { says: 'deny' },
  payload: ['task_id', 'task_subject', 'task_description?', 'teammate_name?', 'team_name?'],
} as const;
const ELICITED = {
  on: 'other',
  matcher: 'mcp_server_name',
  types: MOST,
  block: 'deny',
  fields: ['action', 'content'],
  message: 'nobody',
} as const;
const SWITCH = {
  on: 'other',
  matcher: 'to_model',
  types: MOST,
  timeoutMs: 30_000,
  payload: named(
    'from_model to_model requested_model source context_tokens prompt_cache_warm cache_ttl ' +
      'estimated_cache_write_usd pricing',
  ),
} as const;

export const CLAUDE_EVENTS = {
  SessionStart: row({
    on: 'session.start',
    matcher: 'source',
    types: SOME,
    block: 'tell-person',
    fields: ['additionalContext', 'initialUserMessage', 'sessionTitle', 'watchPaths', 'reloadSkills'],
    plain: true,
    unstoppable: true, // measured with 2.1.325, in contrast to the documentation
    envFile: true,
    payload: named(
      'source model? session_title? seconds_since_last_response? context_tokens? ' +
        'prompt_cache_likely_expired? estimated_cache_write_usd?',
    ),
  }),
  Setup: row({
    on: 'other',
    matcher: 'trigger',
    types: SOME,
    block: 'tell-person',
    fields: ['additionalContext'],
    envFile: true,
    payload: ['trigger'],
  }),
  UserPromptSubmit: row({
    ...PROMPT,
    on: 'prompt.submit',
    matcher: null,
    timeoutMs: 30_000,
    fields: ['additionalContext', 'sessionTitle', 'suppressOriginalPrompt'],
    payload: ['prompt', 'source?', 'session_title?'],
  }),
  UserPromptExpansion: row({
    ...PROMPT,
    on: 'command.before',
    matcher: 'command_name',
    fields: ['additionalContext', 'suppressOriginalPrompt'],
    payload: ['expansion_type', 'command_name', 'command_args', 'command_source?', 'prompt'],
  }),
  PreToolUse: row({
    ...TOOL,
    on: 'tool.before',
    block: 'deny',
    decides: true,
    fields: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'additionalContext'],
    judged: { says: 'deny', ends: 'unless-continued' },
    payload: [...CALL, 'tool_use_id', 'mcp_server?'],
  }),
  PermissionRequest: row({
    ...TOOL,
    on: 'tool.permission',
    types: ALL.filter((type) => type !== 'agent'), // 2.1.325 rejects it, in contrast to the documentation of August
    block: 'nothing',
    fields: ['decision'],
    payload: [...CALL, 'permission_suggestions?', 'mcp_server?'],
  }),
  PermissionDenied: row({
    ...TOOL,
    on: 'tool.denied',
    block: 'nothing',
    fields: ['retry'],
    payload: [...CALL, 'tool_use_id', 'reason', 'mcp_server?'],
  }),
  PostToolUse: row({
    ...TOOL,
    on: 'tool.after',
    block: 'tell-model',
    decides: true,
    fields: ['additionalContext', 'updatedToolOutput', 'updatedMCPToolOutput', 'classifierContext'],
    judged: { says: 'tell-model', ends: 'unless-continued' },
    payload: [...CALL, 'tool_response', 'tool_use_id', 'duration_ms?', 'mcp_server?'],
  }),
  PostToolUseFailure: row({
    ...TOOL,
    on: 'tool.failed',
    block: 'tell-model',
    decides: true,
    fields: ['additionalContext'],
    judged: { says: 'tell-model' },
    payload: [...CALL, 'tool_use_id', 'error', 'is_interrupt?', 'duration_ms?', 'mcp_server?'],
  }),
  PostToolBatch: row({
    ...OWN,
    types: ALL,
    block: 'halt',
    decides: true,
    fields: ['additionalContext'],
    judged: { says: 'halt' },
    mode: true,
    payload: ['tool_calls'],
  }),
  Notification: row({
    ...UNHEARD,
    on: 'notification.sent',
    matcher: 'notification_type',
    types: MOST,
    fields: ['additionalContext'], // in the shipped types; according to the documentation it has no control
    payload: ['message', 'title?', 'notification_type'],
  }),
  MessageDisplay: row({
    ...OWN,
    ...UNHEARD,
    types: MOST,
    timeoutMs: 10_000,
    fields: ['displayContent'],
    payload: ['turn_id', 'message_id', 'index', 'final', 'delta'],
  }),
  SubagentStart: row({
    on: 'subagent.start',
    matcher: 'agent_type',
    types: MOST,
    block: 'tell-person',
    fields: ['additionalContext'],
    payload: [],
  }),
  SubagentStop: row({
    ...STOP,
    on: 'subagent.stop',
    matcher: 'agent_type',
    payload: [...STOP.payload, 'agent_transcript_path'],
  }),
  TaskCreated: row({ ...TASK, decides: true, unstoppable: true }),
  TaskCompleted: row(TASK),
  TeammateIdle: row({
    ...OWN,
    types: ALL,
    block: 'resume',
    fields: [],
    judged: { says: 'resume', ends: 'unless-continued' },
    payload: ['teammate_name', 'team_name'],
  }),
  Stop: row({ ...STOP, on: 'turn.stop', matcher: null }),
  StopFailure: row({
    ...UNHEARD,
    on: 'session.error',
    matcher: 'error',
    narrow: true,
    types: MOST,
    unstoppable: true,
    payload: ['error', 'error_details?', 'last_assistant_message?'],
  }),
  PreCompact: row({
    ...COMPACTION,
    on: 'compaction.before',
    block: 'cancel',
    decides: true,
    payload: ['trigger', 'custom_instructions'],
  }),
  PostCompact: row({ ...COMPACTION, on: 'compaction.after', block: 'tell-person', payload: COMPACTED }),
  PreModelSwitch: row({
    ...SWITCH,
    block: 'deny',
    fields: ['permissionDecision', 'permissionDecisionReason'],
  }),
  PostModelSwitch: row({ ...SWITCH, block: 'nothing', fields: ['additionalContext'], plain: true }),
  InstructionsLoaded: row({
    ...UNHEARD,
    on: 'other',
    matcher: 'load_reason',
    types: MOST,
    unstoppable: true,
    payload: ['file_path', 'memory_type', 'load_reason', 'globs?', 'trigger_file_path?', 'parent_file_path?'],
  }),
  ConfigChange: row({
    ...UNHEARD,
    on: 'other',
    matcher: 'source',
    types: MOST,
    block: 'deny',
    decides: true,
    payload: ['source', 'file_path?'],
  }),
  CwdChanged: row({
    ...OWN,
    types: MOST,
    block: 'tell-person',
    fields: ['watchPaths'],
    envFile: true,
    payload: ['old_cwd', 'new_cwd'],
  }),
  DirectoryAdded: row({
    ...UNHEARD,
    on: 'other',
    matcher: 'source',
    types: MOST,
    message: 'model',
    payload: ['directory', 'source'],
  }),
  FileChanged: row({
    on: 'file.edited',
    matcher: 'file_path',
    narrow: true,
    types: MOST,
    block: 'tell-person',
    fields: ['watchPaths'],
    envFile: true,
    payload: ['file_path', 'event'],
  }),
  WorktreeCreate: row({
    ...OWN,
    types: MOST,
    block: 'deny',
    fields: ['worktreePath'],
    message: 'nobody',
    payload: ['name'],
  }),
  WorktreeRemove: row({ ...OWN, ...UNHEARD, types: MOST, payload: ['worktree_path'] }),
  Elicitation: row({
    ...ELICITED,
    payload: ['mcp_server_name', 'message', 'mode?', 'url?', 'elicitation_id?', 'requested_schema?'],
  }),
  ElicitationResult: row({
    ...ELICITED,
    payload: ['mcp_server_name', 'action', 'content?', 'mode?', 'elicitation_id?'],
  }),
  SessionEnd: row({
    ...UNHEARD,
    on: 'session.end',
    matcher: 'reason',
    types: MOST,
    block: 'tell-person',
    unstoppable: true,
    payload: ['reason'],
  }),
} as const satisfies Record<string, ClaudeEvent>;

export type ClaudeWord = keyof typeof CLAUDE_EVENTS;
export const CLAUDE_WORDS = Object.keys(CLAUDE_EVENTS) as readonly ClaudeWord[];
export const isClaudeWord = (word: unknown): word is ClaudeWord =>
  typeof word === 'string' && Object.hasOwn(CLAUDE_EVENTS, word);
/** Returns the row with its general type. */
export const claudeEvent = (word: ClaudeWord): ClaudeEvent => CLAUDE_EVENTS[word];
