import type { Capabilities } from '../../../events/capabilities.ts';

/** How Kimi Code 2.1.0 applies answers: observed where docs/compatibility.md marks it, otherwise from its documents. */
export const can: Capabilities = {
  'session.start': {},
  'prompt.submit': { deny: 'full', ask: { as: 'deny' }, context: 'full' },
  // It ignores changes and runs the tool on `ask`, so both become refusals.
  'tool.before': { deny: 'full', ask: { as: 'deny' }, defer: { as: 'deny' } },
  'tool.after': {},
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
