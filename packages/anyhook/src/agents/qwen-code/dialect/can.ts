import type { Capabilities } from '../../../events/capabilities.ts';

/**
 * How Qwen Code 0.24.4 applies answers: observed where docs/compatibility.md marks it, otherwise from its documents.
 */
export const can: Capabilities = {
  'session.start': { context: 'full', notice: 'full' },
  'prompt.submit': { deny: 'full', ask: { as: 'deny' }, context: 'full', notice: 'full' },
  // `updatedInput` is documented but ignored, so a change becomes a refusal.
  'tool.before': { deny: 'full', ask: { as: 'deny' }, defer: { as: 'deny' }, notice: 'full' },
  // A refused result still reaches the model; context does too.
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
