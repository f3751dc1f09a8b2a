/** The input of a callback per event, with the CLI's own names (2.1.325). Input is passed on unchanged. */

import type { HookEvent } from './hook-event.ts';

export interface BaseHookInput {
  readonly session_id: string;
  readonly transcript_path: string;
  readonly cwd: string;
  readonly prompt_id?: string;
  readonly permission_mode?: string;
  /** Only inside a subagent. */
  readonly agent_id?: string;
  readonly agent_type?: string;
  readonly effort?: { readonly level: string };
}

interface ToolCall {
  readonly tool_name: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
  readonly tool_use_id: string;
  readonly mcp_server?: { readonly name: string; readonly source: string };
}
interface Stopping {
  /** The agent continues only because of a stop hook. */
  readonly stop_hook_active: boolean;
  readonly last_assistant_message?: string;
  readonly background_tasks?: readonly unknown[];
  readonly session_crons?: readonly unknown[];
}
interface ModelSwitch {
  readonly from_model: string;
  readonly to_model: string;
  readonly requested_model: string | null;
  readonly source: string;
  readonly context_tokens: number;
  readonly prompt_cache_warm: boolean;
  readonly cache_ttl: '5m' | '1h';
  readonly estimated_cache_write_usd: number;
  readonly pricing: 'configured' | 'catalog' | 'default';
}
interface Task {
  readonly task_id: string;
  readonly task_subject: string;
  readonly task_description?: string;
  readonly teammate_name?: string;
  readonly team_name?: string;
}

/** Fields of each event in addition to the common ones. */
interface Own {
  PreToolUse: ToolCall;
  PostToolUse: ToolCall & { readonly tool_response: unknown; readonly duration_ms?: number };
  PostToolUseFailure: ToolCall & {
    readonly error: string;
    readonly is_interrupt?: boolean;
    readonly duration_ms?: number;
  };
  PostToolBatch: {
    readonly tool_calls: readonly (Omit<ToolCall, 'mcp_server'> & { readonly tool_response?: unknown })[];
  };
  PermissionRequest: Omit<ToolCall, 'tool_use_id'> & { readonly permission_suggestions?: readonly unknown[] };
  PermissionDenied: ToolCall & { readonly reason: string };
  UserPromptSubmit: { readonly prompt: string; readonly source?: string; readonly session_title?: string };
  UserPromptExpansion: {
    readonly expansion_type: 'slash_command' | 'mcp_prompt';
    readonly command_name: string;
    readonly command_args: string;
    readonly command_source?: string;
    readonly prompt: string;
  };
  SessionStart: {
    readonly source: string;
    readonly model?: string;
    readonly session_title?: string;
    readonly seconds_since_last_response?: number;
    readonly context_tokens?: number;
    readonly prompt_cache_likely_expired?: boolean;
    readonly estimated_cache_write_usd?: number;
  };
  SessionEnd: { readonly reason: string };
  Setup: { readonly trigger: 'init' | 'maintenance' };
  Stop: Stopping;
  SubagentStop: Stopping & {
    readonly agent_id: string;
    readonly agent_type: string;
    readonly agent_transcript_path: string;
  };
  SubagentStart: { readonly agent_id: string; readonly agent_type: string };
  StopFailure: {
    readonly error: string;
    readonly error_details?: string;
    readonly last_assistant_message?: string;
  };
  Notification: { readonly message: string; readonly title?: string; readonly notification_type: string };
  MessageDisplay: {
    readonly turn_id: string;
    readonly message_id: string;
    readonly index: number;
    readonly final: boolean;
    readonly delta: string;
  };
  PreCompact: { readonly trigger: 'manual' | 'auto'; readonly custom_instructions: string | null };
  PostCompact: { readonly trigger: 'manual' | 'auto'; readonly compact_summary: string };
  PreModelSwitch: ModelSwitch;
  PostModelSwitch: ModelSwitch;
  TaskCreated: Task;
  TaskCompleted: Task;
  TeammateIdle: { readonly teammate_name: string; readonly team_name: string };
  InstructionsLoaded: {
    readonly file_path: string;
    readonly memory_type: string;
    readonly load_reason: string;
    readonly globs?: readonly string[];
    readonly trigger_file_path?: string;
    readonly parent_file_path?: string;
  };
  ConfigChange: { readonly source: string; readonly file_path?: string };
  CwdChanged: { readonly old_cwd: string; readonly new_cwd: string };
  DirectoryAdded: { readonly directory: string; readonly source: string };
  FileChanged: { readonly file_path: string; readonly event: 'change' | 'add' | 'unlink' };
  WorktreeCreate: { readonly name: string };
  WorktreeRemove: { readonly worktree_path: string };
  Elicitation: {
    readonly mcp_server_name: string;
    readonly message: string;
    readonly mode?: 'form' | 'url';
    readonly url?: string;
    readonly elicitation_id?: string;
    readonly requested_schema?: Readonly<Record<string, unknown>>;
  };
  ElicitationResult: {
    readonly mcp_server_name: string;
    readonly action: 'accept' | 'decline' | 'cancel';
    readonly content?: Readonly<Record<string, unknown>>;
    readonly mode?: 'form' | 'url';
    readonly elicitation_id?: string;
  };
}

export type HookInputs = {
  [E in HookEvent]: BaseHookInput & Own[E] & { readonly hook_event_name: E };
};
/** Discriminated by `hook_event_name`. */
export type HookInput<E extends HookEvent = HookEvent> = HookInputs[E];
