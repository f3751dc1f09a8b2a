/** One row of the table of events: its columns. */
import type { EventName } from '../../../events/events.ts';

export type HandlerType = 'command' | 'http' | 'mcp_tool' | 'prompt' | 'agent';

/** What exit 2 does; the same as `decision: "block"` where that is read. */
export type ClaudeBlock =
  | 'deny' // it does not happen
  | 'cancel' // the compaction does not happen
  | 'halt' // the agent's loop ends
  | 'resume' // the agent goes on
  | 'tell-model' // it has happened; the model hears why that was wrong
  | 'tell-person'
  | 'nothing';

export interface ClaudeEvent {
  /** Our event; `other`: carried under its own word, with the payload as it came. */
  readonly on: EventName;
  /** The payload's field that a matcher is tested against; null: a matcher is passed over. */
  readonly matcher: string | null;
  /** Exact words may hold neither spaces, commas nor hyphens. */
  readonly narrow?: true;
  readonly types: readonly HandlerType[];
  /** For commands, HTTP and MCP tools, where it is not the usual one. */
  readonly timeoutMs?: number;
  readonly block: ClaudeBlock;
  /** Is `decision: "block"` read? */
  readonly decides?: true;
  /** What is read in `hookSpecificOutput`. */
  readonly fields: readonly OutputField[];
  /** Text that is no JSON is context. */
  readonly plain?: true;
  /** Whom `systemMessage` reaches; otherwise the person. */
  readonly message?: 'model' | 'nobody';
  /** `continue: false` means nothing. */
  readonly unstoppable?: true;
  /** What a judge's `ok: false` means, and whether it ends the turn. */
  readonly judged?: { readonly says: ClaudeBlock; readonly ends?: 'unless-continued' };
  /** Takes `if`; elsewhere a hook with `if` never runs. */
  readonly takesIf?: true;
  /** Is told the permission mode. */
  readonly mode?: true;
  /** May write `export` lines into the file that CLAUDE_ENV_FILE names. */
  readonly envFile?: true;
  /** Its own fields, after the common ones; those with `?` can be missing. */
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

/** In every payload, before the event's own fields. */
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
