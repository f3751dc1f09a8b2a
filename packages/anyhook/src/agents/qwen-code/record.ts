import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { COMMAND_AGENT } from '../shared/families.ts';
import { homeOrProject, JSON_SERVERS, USUAL_WORDS } from '../shared/mcp-settings.ts';
import { routesInRun } from '../shared/side-routes.ts';
import { bridge, managedTier } from './bridge.ts';
import { can } from './dialect/can.ts';

export const qwenCodeAgent: Agent<'qwen-code'> = {
  ...COMMAND_AGENT,
  name: 'qwen-code',
  shown: 'Qwen Code',
  dialect: 'qwen-code',
  program: { name: 'qwen', npm: '@qwen-code/qwen-code', places: [], quiet: { NO_UPDATE_NOTIFIER: '1' } },
  seen: [{ version: '0.24.4', on: '2026-11-16' }],
  can,
  failure: 'the wrapped entry refuses; a timeout in Qwen itself lets the call run',
  notes: [
    'With folder trust on, Qwen silently drops the hooks of a project that is not trusted.',
    'Qwen does not apply changes to a call. A hook that changes one refuses it there.',
  ],
  ownHooks: ['qwen-code'],
  projectHooks: 'unknown', // it asks the user about each project hook
  reportsFailedCommands: true,
  marks: ['QWEN_CODE'],
  sideRoutes: routesInRun(),
  tellsSubagents: true,
  usage: {
    from: 'transcript',
    figures: ['tokens', 'cached', 'context'],
    reader: async () => (await import('./usage.ts')).usageReader,
  },
  bridge,
  managed: managedTier,
  mcp: {
    ...JSON_SERVERS,
    files: homeOrProject('.qwen/settings.json'),
    words: { ...USUAL_WORDS, url: 'httpUrl' },
  },
  guarded: ({ home }) => [join(home, '.qwen', 'extensions')],
  unhookedBy: ['"disableAllHooks"'],
  headless: async () => (await import('./headless.ts')).headless,
};
