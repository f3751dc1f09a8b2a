/** Gemini CLI's events, one row each (0.61.0, November 2026). Text that is no JSON is shown to the user on all of them. */
import type { ShapedEvent } from '../../shared/command-shaped/terms.ts';

const row = (event: ShapedEvent): ShapedEvent => ({ ...event, text: 'notice' });
const OWN = { on: 'other', matcher: null, block: null } as const;

export const geminiEvents = {
  SessionStart: row({ on: 'session.start', matcher: 'source', block: null, context: true }),
  SessionEnd: row({ on: 'session.end', matcher: 'reason', block: null }),
  BeforeAgent: row({ on: 'prompt.submit', matcher: null, block: 'deny', context: true, stop: 'halt' }),
  AfterAgent: row({ on: 'turn.stop', matcher: null, block: 'resume', stop: 'halt' }),
  BeforeTool: row({ on: 'tool.before', matcher: 'tool_name', block: 'deny', stop: 'halt' }),
  AfterTool: row({
    on: 'tool.after',
    also: 'tool.failed',
    matcher: 'tool_name',
    block: 'replace',
    context: true,
    stop: 'halt',
  }),
  Notification: row({ on: 'notification.sent', matcher: 'notification_type', block: null }),
  // Fires before every request to the model, whether or not anything is compressed.
  PreCompress: row({ on: 'compaction.before', matcher: 'trigger', block: null }),
  BeforeModel: row(OWN),
  AfterModel: row(OWN),
  BeforeToolSelection: row(OWN),
} as const satisfies Record<string, ShapedEvent>;

export type GeminiWord = keyof typeof geminiEvents;
