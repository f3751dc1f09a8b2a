import type { Capabilities } from '../../../events/capabilities.ts';

/** What oh-my-pi does with a hook's answer. Nobody can be asked by it: a hook that wants to asks the person itself. */
export const can: Capabilities = {
  'session.switching': { cancel: 'full' },
  'session.branching': { cancel: 'full', give: 'full' },
  'session.navigating': { cancel: 'full', give: 'full' },
  'prompt.submit': { deny: 'full', ask: { as: 'deny' }, set: 'full' },
  'agent.before': { give: 'full' },
  'model.context': { set: 'full' },
  'tool.before': {
    ask: { as: 'deny' },
    defer: { as: 'deny' },
    deny: 'full',
    set: 'full',
    context: 'full',
  },
  'tool.after': { set: 'full', context: 'full' },
  'tool.failed': { context: 'full' },
  'compaction.before': { cancel: 'full', give: 'full' },
  'compaction.prompt': { set: 'full', give: 'full' },
};
