import type { Capabilities } from '../../../events/capabilities.ts';

/** What Qwen Code 0.24.4 does with an answer: seen where docs/compatibility.md says so, from its documents otherwise. */
export const can: Capabilities = {
  'session.start': { context: 'full', notice: 'full' },
  'prompt.submit': { deny: 'full', ask: { as: 'deny' }, context: 'full', notice: 'full' },
  // `updatedInput` is in its documents and is not applied: a change is a refusal.
  'tool.before': { deny: 'full', ask: { as: 'deny' }, defer: { as: 'deny' }, notice: 'full' },
  // What is said against a result does not reach the model; context does.
  'tool.after': { context: 'full', notice: 'full' },
  'tool.failed': {},
  'subagent.start': {},
  'subagent.stop': {},
  'turn.stop': { resume: 'full', notice: 'full' },
  'notification.sent': {},
  'compaction.before': {},
  'compaction.after': {},
  other: {},
};
