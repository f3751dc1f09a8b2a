import type { HookEventName } from './types/index.ts';

/** The type requires every event of the table. */
const FIRED: Record<HookEventName, true> = {
  session_start: true,
  session_before_switch: true,
  session_switch: true,
  session_before_branch: true,
  session_branch: true,
  session_before_compact: true,
  'session.compacting': true,
  session_compact: true,
  session_before_tree: true,
  session_tree: true,
  session_shutdown: true,
  context: true,
  before_agent_start: true,
  agent_start: true,
  agent_end: true,
  turn_start: true,
  turn_end: true,
  auto_compaction_start: true,
  auto_compaction_end: true,
  auto_retry_start: true,
  auto_retry_end: true,
  ttsr_triggered: true,
  todo_reminder: true,
  tool_call: true,
  tool_result: true,
};
export const HOOK_EVENTS = Object.freeze(Object.keys(FIRED)) as readonly HookEventName[];
export const isHookEvent = (name: string): name is HookEventName => Object.hasOwn(FIRED, name);

/** Extension events that the engine of every agent fires. */
export const FIRED_FOR_EXTENSIONS: ReadonlySet<string> = new Set([
  'input',
  'tool_execution_start',
  'tool_execution_end',
]);

/** Events for extension modules only, not for hook modules. */
export const EXTENSION_EVENTS: ReadonlySet<string> = new Set([
  'resources_discover',
  'before_provider_request',
  'before_provider_headers',
  'after_provider_response',
  'message_start',
  'message_update',
  'message_end',
  'tool_execution_start',
  'tool_execution_update',
  'tool_execution_end',
  'input',
  'user_bash',
  'user_python',
  'session_stop',
  'session_before_fork',
  'session_info_changed',
  'session_compact_failed',
  'agent_settled',
  'agent_before_settle',
  'model_select',
  'thinking_level_select',
  'goal_updated',
  'credential_disabled',
  'mcp_notification',
  'project_trust',
  'task_spawn_policy',
  'tool_approval_requested',
  'tool_approval_resolved',
  'tool_approval_review',
  'ui_prompt_start',
  'ui_prompt_end',
]);
