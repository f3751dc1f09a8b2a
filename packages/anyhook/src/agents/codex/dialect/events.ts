/** Codex CLI's events, one row each (0.166.0, November 2026): Claude Code's words. */
import type { ShapedEvent } from '../../shared/command-shaped/terms.ts';

const row = (event: ShapedEvent): ShapedEvent => event;
const TOLD = { context: true, plain: true } as const;
const STOP = { block: 'resume', stop: 'halt', text: 'error' } as const;
const OWN = { on: 'other', matcher: null, block: null } as const;

export const codexEvents = {
  SessionStart: row({ ...TOLD, on: 'session.start', matcher: 'source', block: null, stop: 'halt' }),
  SessionEnd: row({
    on: 'session.end',
    matcher: 'reason',
    block: null,
    silent: true,
    timeouts: { usual: 1_000, longest: 3_000 },
    waits: true,
  }),
  UserPromptSubmit: row({ ...TOLD, on: 'prompt.submit', matcher: null, block: 'deny', stop: 'halt' }),
  PreToolUse: row({ on: 'tool.before', matcher: 'tool_name', block: 'deny', context: true }),
  PermissionRequest: row({ on: 'tool.permission', matcher: 'tool_name', block: 'deny', silent: true }),
  PostToolUse: row({
    on: 'tool.after',
    matcher: 'tool_name',
    block: 'replace',
    context: true,
    stop: 'halt',
  }),
  SubagentStart: row({ ...TOLD, on: 'subagent.start', matcher: 'agent_type', block: null }),
  SubagentStop: row({ ...STOP, on: 'subagent.stop', matcher: 'agent_type' }),
  Stop: row({ ...STOP, on: 'turn.stop', matcher: null }),
  PreCompact: row({ on: 'compaction.before', matcher: 'trigger', block: null, stop: 'cancel' }),
  PostCompact: row({ on: 'compaction.after', matcher: 'trigger', block: null }),
  Interrupt: row({ ...OWN, timeouts: { usual: 1_000, longest: 3_000 } }),
  // Undocumented: their answers are only written to a log.
  PreModelRequest: row({ ...OWN, silent: true }),
  PostModelRequest: row({ ...OWN, silent: true }),
} as const satisfies Record<string, ShapedEvent>;

export type CodexWord = keyof typeof codexEvents;
