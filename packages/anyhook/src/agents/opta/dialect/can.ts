import type { Capabilities } from '../../../events/capabilities.ts';

/** What an Opta agent does with an answer in its fourth version; the third reads the exit code and stderr only. */
export const can: Capabilities = {
  'session.start': { context: 'full' },
  'session.end': {},
  'session.error': {},
  'prompt.submit': { deny: 'full', ask: 'full', set: 'full', context: 'full' },
  'agent.idle': {},
  'turn.stop': { resume: 'full', context: 'full' },
  'tool.before': {
    allow: 'full',
    ask: 'full',
    defer: { as: 'deny' },
    deny: 'full',
    set: 'full',
    context: 'full',
  },
  'tool.after': { context: 'full' },
  'compaction.after': { context: 'full' },
};
