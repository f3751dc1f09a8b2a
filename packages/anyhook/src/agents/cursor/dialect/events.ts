/**
 * Cursor's events, one row each, from its published documents (November 2026). Many calls have two events: `preToolUse`
 * for every tool, and a specific one for commands, MCP tools and files.
 */

import type { Match } from '../../../events/hook.ts';
import type { ShapedEvent } from '../../shared/command-shaped/terms.ts';

const row = (event: ShapedEvent): ShapedEvent => event;
const OWN = row({ on: 'other', matcher: null, block: null });
const SHELL: Match = { kind: 'names', names: ['Shell'] };
const READ: Match = { kind: 'names', names: ['Read'] };
const MCP: Match = {
  kind: 'pattern',
  source: '^(?:mcp__|MCP:)',
  test: (name) => /^(?:mcp__|MCP:)/.test(name),
};

export const cursorEvents = {
  sessionStart: row({ on: 'session.start', matcher: null, block: null, context: true }),
  sessionEnd: row({ on: 'session.end', matcher: null, block: null }),
  beforeSubmitPrompt: row({ on: 'prompt.submit', matcher: null, block: 'deny' }),
  preToolUse: row({ on: 'tool.before', matcher: 'tool_name', block: 'deny' }),
  beforeShellExecution: row({ on: 'tool.before', tool: SHELL, matcher: 'command', block: 'deny' }),
  beforeMCPExecution: row({ on: 'tool.before', tool: MCP, matcher: 'tool_name', block: 'deny' }),
  beforeReadFile: row({ on: 'tool.before', tool: READ, matcher: null, block: 'deny' }),
  postToolUse: row({ on: 'tool.after', matcher: 'tool_name', block: null, context: true }),
  afterShellExecution: row({ on: 'tool.after', tool: SHELL, matcher: 'command', block: null }),
  afterMCPExecution: row({ on: 'tool.after', tool: MCP, matcher: 'tool_name', block: null }),
  postToolUseFailure: row({ on: 'tool.failed', matcher: 'tool_name', block: null }),
  afterFileEdit: row({ on: 'file.edited', matcher: null, block: null }),
  subagentStart: row({ on: 'subagent.start', matcher: 'agent_type', block: 'deny' }),
  subagentStop: row({ on: 'subagent.stop', matcher: 'agent_type', block: 'resume' }),
  stop: row({ on: 'turn.stop', matcher: null, block: 'resume' }),
  preCompact: row({ on: 'compaction.before', matcher: 'trigger', block: null }),
  afterAgentResponse: OWN,
  afterAgentThought: OWN,
  beforeTabFileRead: OWN,
  afterTabFileEdit: OWN,
} as const satisfies Record<string, ShapedEvent>;
