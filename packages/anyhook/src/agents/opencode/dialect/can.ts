import type { Capabilities } from '../../../events/capabilities.ts';

const WRITES = { set: 'full' } as const;

/**
 * What OpenCode does with an answer (1.18). It has not called `permission.ask` since early 2026: an agent that does call it
 * heeds it. Nobody can be asked from `tool.execute.before`.
 */
export const can: Capabilities = {
  'prompt.submit': { deny: 'full', ask: { as: 'deny' }, set: 'full', context: 'full' },
  'agent.idle': {},
  'command.before': { deny: 'full', set: 'full' },
  'model.context': WRITES,
  'model.system': WRITES,
  'model.parameters': WRITES,
  'model.small': WRITES,
  'model.text': WRITES,
  'tool.before': { deny: 'full', ask: { as: 'deny' }, defer: { as: 'deny' }, set: 'full' },
  'tool.permission': { allow: 'full', ask: 'full', deny: 'full', defer: { as: 'deny' } },
  'tool.after': { set: 'full', context: 'full' },
  'tool.offered': WRITES,
  'shell.env': WRITES,
  'config.loaded': WRITES,
  'compaction.prompt': WRITES,
  'compaction.continue': WRITES,
};
