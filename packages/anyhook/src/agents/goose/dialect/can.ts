import type { Capabilities } from '../../../events/capabilities.ts';

/** Capabilities of an agent that follows the document. */
export const can: Capabilities = {
  'session.start': { context: 'full', notice: 'full' },
  'session.end': {},
  'prompt.submit': { deny: 'full', ask: { as: 'deny' }, context: 'full' },
  'tool.before': { deny: 'full', ask: { as: 'deny' }, defer: { as: 'deny' } },
  'tool.permission': { deny: 'full', ask: { as: 'deny' }, defer: { as: 'deny' } },
  'tool.denied': {},
  'tool.after': { context: 'full' },
  'tool.failed': { context: 'full' },
  'file.edited': {},
  'subagent.start': {},
  'subagent.stop': { resume: 'full' },
  'notification.sent': {},
  'config.loaded': { deny: 'full' },
  'compaction.before': { cancel: 'full' },
  'compaction.after': { context: 'full' },
  'turn.stop': { resume: 'full' },
  other: { deny: 'full' },
};
