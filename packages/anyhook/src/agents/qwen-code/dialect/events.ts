/**
 * The events of Qwen Code (0.24.4, November 2026), one row each. The names are those of Claude Code. The effects of
 * answers were observed in real runs.
 */

import type { ShapedEvent } from '../../shared/command-shaped/terms.ts';

const row = (event: ShapedEvent): ShapedEvent => event;
const OWN = { on: 'other', matcher: null, block: null } as const;

export const qwenEvents = {
  SessionStart: row({ on: 'session.start', matcher: 'source', block: null, context: true, plain: true }),
  SessionEnd: row({ on: 'session.end', matcher: 'reason', block: null }),
  UserPromptSubmit: row({ on: 'prompt.submit', matcher: null, block: 'deny', context: true, plain: true }),
  PreToolUse: row({ on: 'tool.before', matcher: 'tool_name', block: 'deny' }),
  PermissionRequest: row({ on: 'tool.permission', matcher: 'tool_name', block: null }),
  PermissionDenied: row({ on: 'tool.denied', matcher: 'tool_name', block: null }),
  PostToolUse: row({ on: 'tool.after', matcher: 'tool_name', block: null, context: true }),
  PostToolUseFailure: row({ on: 'tool.failed', matcher: 'tool_name', block: null }),
  SubagentStart: row({ on: 'subagent.start', matcher: 'agent_type', block: null }),
  SubagentStop: row({ on: 'subagent.stop', matcher: 'agent_type', block: null }),
  Stop: row({ on: 'turn.stop', matcher: null, block: 'resume' }),
  Notification: row({ on: 'notification.sent', matcher: 'notification_type', block: null }),
  PreCompact: row({ on: 'compaction.before', matcher: 'trigger', block: null }),
  PostCompact: row({ on: 'compaction.after', matcher: 'trigger', block: null }),
  StopFailure: row({ on: 'session.error', matcher: null, block: null }),
  PostToolBatch: row(OWN),
  UserPromptExpansion: row(OWN),
  MessageDisplay: row(OWN),
  SessionDelete: row(OWN),
  TodoCreated: row(OWN),
  TodoCompleted: row(OWN),
  InstructionsLoaded: row(OWN),
} as const satisfies Record<string, ShapedEvent>;
