import type { Capabilities } from '../../../events/capabilities.ts';

/** What Grok Build 1.0.41 does with an answer: seen where docs/compatibility.md says so, from its manual otherwise. */
export const can: Capabilities = {
  // Nothing that is said here, or with a prompt, reaches the model.
  'session.start': {},
  'session.end': {},
  'prompt.submit': { deny: 'full', ask: { as: 'deny' } },
  // Its manual says that `ask` prompts; in a run that approves everything the call ran.
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
