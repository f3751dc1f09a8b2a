import type { Capabilities } from '../../events/capabilities.ts';

/** Capabilities that pi and oh-my-pi share. */
export const can: Capabilities = {
  'session.start': { context: 'full', notice: 'full' },
  'session.end': { notice: 'full' },
  'session.switching': { cancel: 'full', notice: 'full' },
  'prompt.submit': {
    deny: 'full',
    ask: { as: 'deny' },
    set: 'full',
    context: 'full',
    notice: 'full',
  },
  'agent.before': { give: 'full', notice: 'full' },
  'agent.start': { notice: 'full' },
  'agent.end': { notice: 'full' },
  'turn.start': { notice: 'full' },
  'turn.end': { notice: 'full' },
  'turn.stop': { resume: 'full', notice: 'full' },
  'model.context': { set: 'full', notice: 'full' },
  'tool.before': {
    deny: 'full',
    ask: { as: 'deny' },
    defer: { as: 'deny' },
    set: 'full',
    context: 'full',
    notice: 'full',
  },
  'tool.after': { set: 'full', context: 'full', notice: 'full' },
  'tool.failed': { context: 'full', notice: 'full' },
  'compaction.before': { cancel: 'full', give: 'full', notice: 'full' },
  'compaction.after': { notice: 'full' },
};
