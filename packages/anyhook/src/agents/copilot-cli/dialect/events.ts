/**
 * The events of Copilot CLI (1.0.102, November 2026), one row each, in two cases. Documented names are camelCase, and
 * their payloads name no event. PascalCase names have the payloads of Claude Code. The effects of answers were observed
 * in real runs.
 */

import type { ShapedEvent } from '../../shared/command-shaped/terms.ts';

const row = (event: ShapedEvent): ShapedEvent => event;
const START = row({ on: 'session.start', matcher: null, block: null, context: true });
const END = row({ on: 'session.end', matcher: null, block: null });
const PROMPT = row({ on: 'prompt.submit', matcher: null, block: 'deny', context: true });
const BEFORE = row({ on: 'tool.before', matcher: 'tool_name', block: 'deny', context: true });
const PERMISSION = row({ on: 'tool.permission', matcher: 'tool_name', block: null });
const AFTER = row({ on: 'tool.after', matcher: 'tool_name', block: 'tell', context: true });
const FAILED = row({ on: 'tool.failed', matcher: 'tool_name', block: null });
const STOP = row({ on: 'turn.stop', matcher: null, block: 'resume' });
const SUBAGENT_START = row({ on: 'subagent.start', matcher: null, block: null });
const SUBAGENT_STOP = row({ on: 'subagent.stop', matcher: null, block: null });
const ERROR = row({ on: 'session.error', matcher: null, block: null });
const COMPACTION = row({ on: 'compaction.before', matcher: null, block: null });
const NOTIFICATION = row({ on: 'notification.sent', matcher: null, block: null });
const OWN = row({ on: 'other', matcher: null, block: null });

export const copilotEvents = {
  SessionStart: START,
  SessionEnd: END,
  UserPromptSubmit: PROMPT,
  PreToolUse: BEFORE,
  PermissionRequest: PERMISSION,
  PostToolUse: AFTER,
  PostToolUseFailure: FAILED,
  Stop: STOP,
  SubagentStart: SUBAGENT_START,
  SubagentStop: SUBAGENT_STOP,
  ErrorOccurred: ERROR,
  PreCompact: COMPACTION,
  Notification: NOTIFICATION,
  PreMcpToolCall: OWN,
  sessionStart: START,
  sessionEnd: END,
  userPromptSubmitted: PROMPT,
  preToolUse: BEFORE,
  permissionRequest: PERMISSION,
  postToolUse: AFTER,
  postToolUseFailure: FAILED,
  agentStop: STOP,
  subagentStart: SUBAGENT_START,
  subagentStop: SUBAGENT_STOP,
  errorOccurred: ERROR,
  preCompact: COMPACTION,
  notification: NOTIFICATION,
  userPromptTransformed: OWN,
  preMcpToolCall: OWN,
} as const satisfies Record<string, ShapedEvent>;
