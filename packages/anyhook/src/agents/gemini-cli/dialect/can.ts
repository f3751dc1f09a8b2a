import type { Capabilities } from '../../../events/capabilities.ts';

/** What Gemini CLI 0.61.0 does with an answer: seen where docs/compatibility.md says so, from its documents otherwise. */
export const can: Capabilities = {
  'session.start': { context: 'full', notice: 'full' },
  'session.end': {}, // not waited for
  'prompt.submit': {
    deny: 'full',
    ask: { as: 'deny' },
    context: 'full',
    notice: 'full',
    halt: 'full',
  },
  // Context from here does not reach the model.
  'tool.before': {
    deny: 'full',
    ask: { as: 'deny' },
    defer: { as: 'deny' },
    set: 'full',
    notice: 'full',
    halt: 'full',
  },
  // What the tool returned can be replaced by a text.
  'tool.after': { set: 'full', context: 'full', notice: 'full', halt: 'full' },
  'tool.failed': { context: 'full', notice: 'full', halt: 'full' },
  'turn.stop': { resume: 'full', halt: 'full', notice: 'full' },
  'compaction.before': { notice: 'full' },
  'notification.sent': { notice: 'full' },
  other: { notice: 'full' },
};
