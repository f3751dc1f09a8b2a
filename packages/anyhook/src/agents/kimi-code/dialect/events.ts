/** The events of Kimi Code (2.1.0, November 2026), one row each. The effects of answers were observed in real runs. */

import type { ShapedEvent } from '../../shared/command-shaped/terms.ts';

const row = (event: ShapedEvent): ShapedEvent => event;
const OWN = { on: 'other', matcher: null, block: null } as const;

export const kimiEvents = {
  SessionStart: row({ on: 'session.start', matcher: 'source', block: null }),
  SessionEnd: row({ on: 'session.end', matcher: 'reason', block: null }),
  // The model receives all output of this hook, even JSON. For JSON with a `message` it receives the message.
  UserPromptSubmit: row({ on: 'prompt.submit', matcher: null, block: 'deny', context: true, plain: true }),
  PreToolUse: row({ on: 'tool.before', matcher: 'tool_name', block: 'deny' }),
  PermissionRequest: row({ on: 'tool.permission', matcher: 'tool_name', block: null }),
  // It does not wait for these two events and loses some at the end of a run.
  PostToolUse: row({ on: 'tool.after', matcher: 'tool_name', block: null }),
  PostToolUseFailure: row({ on: 'tool.failed', matcher: 'tool_name', block: null }),
  SubagentStart: row({ on: 'subagent.start', matcher: 'agent_name', block: null }),
  SubagentStop: row({ on: 'subagent.stop', matcher: 'agent_name', block: null }),
  Stop: row({ on: 'turn.stop', matcher: null, block: 'resume' }),
  StopFailure: row({ on: 'session.error', matcher: 'error_type', block: null }),
  Notification: row({ on: 'notification.sent', matcher: 'notification_type', block: null }),
  PreCompact: row({ on: 'compaction.before', matcher: 'trigger', block: null }),
  PostCompact: row({ on: 'compaction.after', matcher: 'trigger', block: null }),
  PermissionResult: row(OWN),
  UserPromptQueued: row(OWN),
  TurnStarted: row(OWN),
  Interrupt: row(OWN),
  SessionHeartbeat: row(OWN),
  TaskStarted: row(OWN),
} as const satisfies Record<string, ShapedEvent>;
