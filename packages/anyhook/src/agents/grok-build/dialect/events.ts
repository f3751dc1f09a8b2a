/**
 * The events of Grok Build (1.0.41, November 2026), one row each. The names are those of Claude Code. The effects of
 * answers were observed in real runs.
 */

import type { ShapedEvent } from '../../shared/command-shaped/terms.ts';

const row = (event: ShapedEvent): ShapedEvent => event;

export const grokEvents = {
  SessionStart: row({ on: 'session.start', matcher: 'source', block: null }),
  SessionEnd: row({ on: 'session.end', matcher: 'reason', block: null }),
  UserPromptSubmit: row({ on: 'prompt.submit', matcher: null, block: 'deny' }),
  PreToolUse: row({ on: 'tool.before', matcher: 'tool_name', block: 'deny', context: true }),
  PermissionDenied: row({ on: 'tool.denied', matcher: 'tool_name', block: null }),
  PostToolUse: row({ on: 'tool.after', matcher: 'tool_name', block: 'tell', context: true }),
  PostToolUseFailure: row({ on: 'tool.failed', matcher: 'tool_name', block: null }),
  SubagentStart: row({ on: 'subagent.start', matcher: 'agent_type', block: null }),
  SubagentStop: row({ on: 'subagent.stop', matcher: 'agent_type', block: null }),
  Stop: row({ on: 'turn.stop', matcher: null, block: 'resume' }),
  StopFailure: row({ on: 'session.error', matcher: null, block: null }),
  StopCancelled: row({ on: 'other', matcher: null, block: null }),
  Notification: row({ on: 'notification.sent', matcher: 'notification_type', block: null }),
  PreCompact: row({ on: 'compaction.before', matcher: 'source', block: null }),
  PostCompact: row({ on: 'compaction.after', matcher: 'source', block: null }),
} as const satisfies Record<string, ShapedEvent>;
