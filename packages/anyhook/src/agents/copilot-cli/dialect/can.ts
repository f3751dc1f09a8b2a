import type { Capabilities } from '../../../events/capabilities.ts';

/**
 * How Copilot CLI 1.0.102 applies answers: observed where docs/compatibility.md marks it, otherwise from its documents.
 */
export const can: Capabilities = {
  'session.start': { context: 'full' },
  'session.end': {},
  'prompt.submit': { deny: 'full', ask: { as: 'deny' }, context: 'full' },
  // Without a user `ask` refuses.
  'tool.before': {
    allow: 'full',
    ask: 'full',
    defer: { as: 'deny' },
    deny: 'full',
    set: 'full',
    context: 'full',
  },
  'tool.after': { context: 'full' },
  'tool.failed': {},
  'turn.stop': { resume: 'full' },
  'subagent.stop': {},
  'session.error': {},
  'compaction.before': {},
  'notification.sent': {},
  other: {},
};
