import type { Capabilities } from '../../../events/capabilities.ts';

/** Capabilities of an Opta agent in version 4. Version 3 reads only exit code and stderr. */
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
