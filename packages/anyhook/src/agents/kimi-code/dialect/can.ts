import type { Capabilities } from '../../../events/capabilities.ts';

/** What Kimi Code 2.1.0 does with an answer: seen where docs/compatibility.md says so, from its documents otherwise. */
export const can: Capabilities = {
  'session.start': {},
  'prompt.submit': { deny: 'full', ask: { as: 'deny' }, context: 'full' },
  // It applies no rewrite and runs the tool on `ask`: both are refusals.
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
