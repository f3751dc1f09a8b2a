/** `anyhook/claude-code`: the settings reader and the event types. */
export { CLAUDE_EVENTS } from '../dialect/events.ts';
export type { ClaudeEvent, HandlerType } from '../dialect/events.ts';
export { HOOK_EVENTS } from '../../claude-agent-sdk/dialect/hook-event.ts';
export type { HookEvent } from '../../claude-agent-sdk/dialect/hook-event.ts';
export type { BaseHookInput, HookInput, HookInputs } from '../../claude-agent-sdk/dialect/hook-input.ts';
export type {
  AsyncHookJSONOutput,
  HookJSONOutput,
  HookSpecificOutput,
  SyncHookJSONOutput,
} from '../../claude-agent-sdk/dialect/hook-output.ts';
export { type ClaudeSettings, readSettings, type ReadSettingsOptions } from './read-settings.ts';
