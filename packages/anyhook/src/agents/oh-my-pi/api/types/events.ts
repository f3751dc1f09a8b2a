/** The table of all events of the document: payload and result by name. */

import type {
  AgentEndEvent,
  AgentStartEvent,
  AutoCompactionEndEvent,
  AutoCompactionStartEvent,
  AutoRetryEndEvent,
  AutoRetryStartEvent,
  BeforeAgentStartEvent,
  BeforeAgentStartEventResult,
  ContextEvent,
  ContextEventResult,
  TodoReminderEvent,
  TtsrTriggeredEvent,
  TurnEndEvent,
  TurnStartEvent,
} from './agent-events.ts';
import type {
  SessionBeforeBranchEvent,
  SessionBeforeCompactEvent,
  SessionBeforeSwitchEvent,
  SessionBeforeTreeEvent,
  SessionBranchEvent,
  SessionCompactEvent,
  SessionCompactingEvent,
  SessionShutdownEvent,
  SessionStartEvent,
  SessionSwitchEvent,
  SessionTreeEvent,
} from './session-events.ts';
import type {
  SessionBeforeBranchResult,
  SessionBeforeCompactResult,
  SessionBeforeSwitchResult,
  SessionBeforeTreeResult,
  SessionCompactingResult,
} from './session-results.ts';
import type {
  ToolCallEvent,
  ToolCallEventResult,
  ToolResultEvent,
  ToolResultEventResult,
} from './tool-events.ts';

interface Row<E, R = undefined> {
  event: E;
  result: R;
}
export interface HookEvents {
  session_start: Row<SessionStartEvent>;
  session_before_switch: Row<SessionBeforeSwitchEvent, SessionBeforeSwitchResult>;
  session_switch: Row<SessionSwitchEvent>;
  session_before_branch: Row<SessionBeforeBranchEvent, SessionBeforeBranchResult>;
  session_branch: Row<SessionBranchEvent>;
  session_before_compact: Row<SessionBeforeCompactEvent, SessionBeforeCompactResult>;
  'session.compacting': Row<SessionCompactingEvent, SessionCompactingResult>;
  session_compact: Row<SessionCompactEvent>;
  session_before_tree: Row<SessionBeforeTreeEvent, SessionBeforeTreeResult>;
  session_tree: Row<SessionTreeEvent>;
  session_shutdown: Row<SessionShutdownEvent>;
  context: Row<ContextEvent, ContextEventResult>;
  before_agent_start: Row<BeforeAgentStartEvent, BeforeAgentStartEventResult>;
  agent_start: Row<AgentStartEvent>;
  agent_end: Row<AgentEndEvent>;
  turn_start: Row<TurnStartEvent>;
  turn_end: Row<TurnEndEvent>;
  auto_compaction_start: Row<AutoCompactionStartEvent>;
  auto_compaction_end: Row<AutoCompactionEndEvent>;
  auto_retry_start: Row<AutoRetryStartEvent>;
  auto_retry_end: Row<AutoRetryEndEvent>;
  ttsr_triggered: Row<TtsrTriggeredEvent>;
  todo_reminder: Row<TodoReminderEvent>;
  tool_call: Row<ToolCallEvent, ToolCallEventResult>;
  tool_result: Row<ToolResultEvent, ToolResultEventResult>;
}
export type HookEventName = keyof HookEvents;
export type HookEventOf<N extends HookEventName> = HookEvents[N]['event'];
export type HookResultOf<N extends HookEventName> = HookEvents[N]['result'];
export type HookEvent = HookEventOf<HookEventName>;
