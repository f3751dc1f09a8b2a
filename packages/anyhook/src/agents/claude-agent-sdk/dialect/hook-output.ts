/** The possible answers of a callback: the common fields, and `hookSpecificOutput` per event. */

import type { HookEvent } from './hook-event.ts';

interface Context {
  /** For the model. */
  additionalContext?: string;
}
interface Prompt extends Context {
  suppressOriginalPrompt?: boolean;
}
type Fields = Record<string, unknown>;
interface ElicitationAnswer {
  action?: 'accept' | 'decline' | 'cancel';
  content?: Fields;
}

/** Events that are not listed have no specific output. */
interface Specific {
  PreToolUse: Context & {
    permissionDecision?: 'allow' | 'deny' | 'ask' | 'defer';
    permissionDecisionReason?: string;
    /** Replaces the whole input. */
    updatedInput?: Fields;
  };
  PostToolUse: Context & {
    classifierContext?: string;
    updatedToolOutput?: unknown;
    updatedMCPToolOutput?: unknown;
  };
  PostToolUseFailure: Context;
  PostToolBatch: Context;
  PermissionRequest: {
    decision:
      | { behavior: 'allow'; updatedInput?: Fields; updatedPermissions?: unknown[] }
      | { behavior: 'deny'; message?: string; interrupt?: boolean };
  };
  PermissionDenied: { retry?: boolean };
  UserPromptSubmit: Prompt & { sessionTitle?: string };
  UserPromptExpansion: Prompt;
  SessionStart: Context & {
    initialUserMessage?: string;
    sessionTitle?: string;
    watchPaths?: string[];
    reloadSkills?: boolean;
  };
  Setup: Context;
  SubagentStart: Context;
  Stop: Context;
  SubagentStop: Context;
  Notification: Context;
  PreModelSwitch: { permissionDecision?: 'allow' | 'deny' | 'ask'; permissionDecisionReason?: string };
  PostModelSwitch: Context;
  Elicitation: ElicitationAnswer;
  ElicitationResult: ElicitationAnswer;
  CwdChanged: { watchPaths?: string[] };
  FileChanged: { watchPaths?: string[] };
  WorktreeCreate: { worktreePath: string };
  MessageDisplay: { displayContent?: string };
}

export type HookSpecificOutput<E extends HookEvent = HookEvent> = E extends keyof Specific
  ? { hookEventName: E } & Specific[E]
  : { hookEventName: E };

export interface SyncHookJSONOutput<E extends HookEvent = HookEvent> {
  /** `false` ends the turn, regardless of other decisions. */
  continue?: boolean;
  /** Shown to the user if `continue` is false. */
  stopReason?: string;
  suppressOutput?: boolean;
  /** `block` prevents the action. */
  decision?: 'approve' | 'block';
  reason?: string;
  /** For transcript and user, never for the model. */
  systemMessage?: string;
  terminalSequence?: string;
  hookSpecificOutput?: HookSpecificOutput<E>;
  /** An effect of anyhook is not an answer of this agent. */
  kind?: never;
}
/** The hook continues in the background and decides nothing. */
export interface AsyncHookJSONOutput {
  async: true;
  /** Milliseconds. */
  asyncTimeout?: number;
}
export type HookJSONOutput<E extends HookEvent = HookEvent> = SyncHookJSONOutput<E> | AsyncHookJSONOutput;
