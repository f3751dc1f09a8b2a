import type { Capabilities } from '../../../events/capabilities.ts';

/**
 * How Gemini CLI 0.61.0 applies answers: observed where docs/compatibility.md marks it, otherwise from its documents.
 */
export const can: Capabilities = {
  'session.start': { context: 'full', notice: 'full' },
  'session.end': {}, // Gemini does not wait for it
  'prompt.submit': {
    deny: 'full',
    ask: { as: 'deny' },
    context: 'full',
    notice: 'full',
    halt: 'full',
  },
  // Context from this event does not reach the model.
  'tool.before': {
    deny: 'full',
    ask: { as: 'deny' },
    defer: { as: 'deny' },
    set: 'full',
    notice: 'full',
    halt: 'full',
  },
  // The tool result can be replaced by a text.
  'tool.after': { set: 'full', context: 'full', notice: 'full', halt: 'full' },
  'tool.failed': { context: 'full', notice: 'full', halt: 'full' },
  'turn.stop': { resume: 'full', halt: 'full', notice: 'full' },
  'compaction.before': { notice: 'full' },
  'notification.sent': { notice: 'full' },
  other: { notice: 'full' },
};
