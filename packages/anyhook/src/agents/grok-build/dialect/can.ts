import type { Capabilities } from '../../../events/capabilities.ts';

/** How Grok Build 1.0.41 applies answers: observed where docs/compatibility.md marks it, otherwise from its manual. */
export const can: Capabilities = {
  // Output of this event and of prompts does not reach the model.
  'session.start': {},
  'session.end': {},
  'prompt.submit': { deny: 'full', ask: { as: 'deny' } },
  // Its manual documents that `ask` prompts, but the call ran in a session that approves everything.
  'tool.before': {
    deny: 'full',
    ask: { as: 'deny' },
    defer: { as: 'deny' },
    set: 'full',
    context: 'full',
  },
  'tool.denied': {},
  'tool.after': { context: 'full' },
  'tool.failed': {},
  'subagent.start': {},
  'subagent.stop': {},
  'turn.stop': { resume: 'full' },
  'session.error': {},
  'notification.sent': {},
  'compaction.before': {},
  'compaction.after': {},
  other: {},
};
