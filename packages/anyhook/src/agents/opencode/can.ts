import type { Capabilities } from '../../events/capabilities.ts';

export const can: Capabilities = {
  'session.start': { notice: 'full', give: { only: ['environment'] } },
  'session.error': { notice: 'full' },
  'prompt.submit': { deny: 'full', ask: { as: 'deny' }, context: 'full', notice: 'full' },
  'command.before': { deny: 'full', notice: 'full' },
  'agent.idle': { notice: 'full' },
  'model.context': { set: 'full', notice: 'full' },
  'model.text': { set: 'full', notice: 'full' },
  'model.system': { set: 'full', notice: 'full' },
  'model.parameters': { set: 'full', notice: 'full' },
  'tool.before': { deny: 'full', ask: { as: 'deny' }, defer: { as: 'deny' }, set: 'full', notice: 'full' },
  'tool.after': { set: 'full', context: 'full', notice: 'full' },
  'shell.env': { set: 'full', notice: 'full' },
  'file.edited': { notice: 'full', give: { only: ['environment'] } },
  'compaction.prompt': { set: 'full', notice: 'full' },
  'compaction.after': { notice: 'full' },
};
