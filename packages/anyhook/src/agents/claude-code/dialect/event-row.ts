/** The columns of the event table. */

import type { EventName } from '../../../events/events.ts';

export type HandlerType = 'command' | 'http' | 'mcp_tool' | 'prompt' | 'agent';

/** The effect of exit 2, and of `decision: "block"` where it is supported. */
export type ClaudeBlock =
  | 'deny' // the action does not happen
  | 'cancel' // the compaction does not happen
  | 'halt' // the agent's loop ends
  | 'resume' // the agent continues
  | 'tell-model' // too late to prevent it; the model receives the reason
  | 'tell-person'
  | 'nothing';

export interface ClaudeEvent {
  /** Our event. `other`: passed through under its native name with an unchanged payload. */
  readonly on: EventName;
  /** The payload field for the matcher; null: a matcher is ignored. */
  readonly matcher: string | null;
  /** Exact names may not contain spaces, commas or hyphens. */
  readonly narrow?: true;
  readonly types: readonly HandlerType[];
  /** For commands, HTTP and MCP tools, if it differs from the default. */
  readonly timeoutMs?: number;
  readonly block: ClaudeBlock;
  /** Whether `decision: "block"` is supported. */
  readonly decides?: true;
  /** Supported fields in `hookSpecificOutput`. */
  readonly fields: readonly OutputField[];
  /** Output that is not JSON is context. */
  readonly plain?: true;
  /** Who receives `systemMessage`; default: the user. */
  readonly message?: 'model' | 'nobody';
  /** `continue: false` is ignored. */
  readonly unstoppable?: true;
  /** The effect of a judge's `ok: false`, and whether it ends the turn. */
  readonly judged?: { readonly says: ClaudeBlock; readonly ends?: 'unless-continued' };
  /** Supports `if`. On other events a hook with `if` never runs. */
  readonly takesIf?: true;
  /** The payload contains the permission mode. */
  readonly mode?: true;
  /** The hook may write `export` lines to the file in CLAUDE_ENV_FILE. */
  readonly envFile?: true;
  /** Fields of this event, after the common ones; those with `?` are optional. */
  readonly payload: readonly string[];
}

export type OutputField =
  | 'permissionDecision'
  | 'permissionDecisionReason'
  | 'updatedInput'
  | 'additionalContext'
  | 'decision'
  | 'retry'
  | 'updatedToolOutput'
  | 'updatedMCPToolOutput'
  | 'classifierContext'
  | 'sessionTitle'
  | 'suppressOriginalPrompt'
  | 'initialUserMessage'
  | 'watchPaths'
  | 'reloadSkills'
  | 'action'
  | 'content'
  | 'worktreePath'
  | 'displayContent';

/** Fields of every payload, before those of the event. */
export const COMMON_PAYLOAD_FIELDS = [
  'session_id',
  'transcript_path',
  'cwd',
  'hook_event_name',
  'prompt_id?',
  'permission_mode?',
  'agent_id?',
  'agent_type?',
  'effort?',
] as const;
