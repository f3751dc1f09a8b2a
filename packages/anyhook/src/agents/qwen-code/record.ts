import { join } from 'node:path';
import { can } from './dialect/can.ts';
import type { Agent } from '../shared/agent.ts';
import { COMMAND_AGENT } from '../shared/families.ts';
import { homeOrProject, JSON_SERVERS, USUAL_WORDS } from '../shared/mcp-settings.ts';
import { routesInRun } from '../shared/side-routes.ts';
import { bridge, managedTier } from './bridge.ts';

export const qwenCodeAgent: Agent<'qwen-code'> = {
  ...COMMAND_AGENT,
  name: 'qwen-code',
  shown: 'Qwen Code',
  dialect: 'qwen-code',
  program: { name: 'qwen', npm: '@qwen-code/qwen-code', places: [], quiet: { NO_UPDATE_NOTIFIER: '1' } },
  seen: [{ version: '0.24.4', on: '2026-11-16' }],
  can,
  failure: 'the wrapped entry refuses; a time-out of Qwen itself lets the call run',
  notes: [
    'With folder trust on, Qwen drops the hooks of a project that it was not told to trust, and goes on.',
    'Qwen applies no change of a call: a hook that wants one refuses it there.',
  ],
  ownHooks: ['qwen-code'],
  projectHooks: 'unknown', // it asks about each hook of a project
  marks: ['QWEN_CODE'],
  sideRoutes: routesInRun(),
  tellsSubagents: true,
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
