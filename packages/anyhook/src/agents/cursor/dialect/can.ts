import type { Capabilities } from '../../../events/capabilities.ts';

/** How Cursor applies answers, from its published documents. Nothing was observed in a real run. */
export const can: Capabilities = {
  'session.start': { context: 'full' },
  'session.end': {},
  'prompt.submit': { deny: 'full', ask: { as: 'deny' } },
  // `ask` is only supported for commands and MCP tools. Before other tools it is ignored.
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
