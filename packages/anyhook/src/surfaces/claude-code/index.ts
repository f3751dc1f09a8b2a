/** `anyhook/claude-code`: the settings reader and the event types. */
export { CLAUDE_EVENTS } from '../../dialects/claude-code/events.ts';
export type { ClaudeEvent, HandlerType } from '../../dialects/claude-code/events.ts';
export { HOOK_EVENTS } from '../../dialects/claude-agent-sdk/hook-event.ts';
export type { HookEvent } from '../../dialects/claude-agent-sdk/hook-event.ts';
export type { BaseHookInput, HookInput, HookInputs } from '../../dialects/claude-agent-sdk/hook-input.ts';
export type {
  AsyncHookJSONOutput,
  HookJSONOutput,
  HookSpecificOutput,
  SyncHookJSONOutput,
} from '../../dialects/claude-agent-sdk/hook-output.ts';
export { type ClaudeSettings, readSettings, type ReadSettingsOptions } from './read-settings.ts';
