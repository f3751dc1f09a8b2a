import type { Capabilities } from '../../../events/capabilities.ts';

/** What Cursor does with an answer, by its published documents: nothing of it was seen in a real run. */
export const can: Capabilities = {
  'session.start': { context: 'full' },
  'session.end': {},
  'prompt.submit': { deny: 'full', ask: { as: 'deny' } },
  // `ask` is taken from hooks of a command or an MCP tool only; before any other tool it is passed over.
  'tool.before': { allow: 'full', deny: 'full', ask: { as: 'deny' }, defer: { as: 'deny' }, set: 'full' },
  'tool.after': { context: 'full' },
  'tool.failed': {},
  'subagent.start': { deny: 'full' },
  'subagent.stop': { resume: 'full' },
  'turn.stop': { resume: 'full' },
  'compaction.before': {},
  'file.edited': {},
  other: {},
};
