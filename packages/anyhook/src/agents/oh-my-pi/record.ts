import { join } from 'node:path';
import { extensionIn } from '../pi/bridge.ts';
import { can } from '../pi/can.ts';
import type { Agent } from '../shared/agent.ts';
import { MODULE_AGENT } from '../shared/families.ts';
import { JSON_SERVERS, USUAL_WORDS } from '../shared/mcp-settings.ts';
import { routesInRun } from '../shared/side-routes.ts';

export const ohMyPiAgent: Agent<'oh-my-pi'> = {
  ...MODULE_AGENT,
  name: 'oh-my-pi',
  shown: 'oh-my-pi',
  dialect: 'oh-my-pi',
  program: {
    name: 'omp',
    npm: '@oh-my-pi/pi-coding-agent',
    places: [],
    quiet: { PI_SKIP_VERSION_CHECK: '1' },
  },
  seen: [{ version: '18.2.3', on: '2026-11-16' }],
  can,
  failure: 'the extension refuses; a missing extension file lets the call run',
  notes: [
    'Without a terminal (`omp -p`) oh-my-pi fires no prompt event. Prompt hooks run right before the agent starts, where a change becomes a refusal.',
  ],
  handlerLimitMs: 30_000,
  ownHooks: ['oh-my-pi'],
  projectHooks: 'always',
  marks: ['OMPCODE'],
  sideRoutes: routesInRun({ code: 'asked' }),
  tellsSubagents: false,
  usage: {
    from: 'in process',
    figures: ['tokens', 'cached', 'context', 'cost'],
    reader: null,
  },
  bridge: extensionIn({ user: '.omp/agent', project: '.omp' }),
  mcp: {
    ...JSON_SERVERS,
    files: ({ scope, home, cwd }) => {
      const folder = scope === 'project' ? join(cwd, '.omp') : join(home, '.omp', 'agent');
      return [join(folder, 'mcp.json'), join(folder, '.mcp.json')];
    },
    words: { ...USUAL_WORDS, type: { program: 'stdio', address: 'http' } },
  },
  guarded: ({ home }) =>
    ['.omp/agent/extensions', '.omp/agent/hooks', '.omp/hooks'].map((folder) => join(home, folder)),
  unhookedBy: ['--no-extensions'],
  inside: () => import('./inside.ts'),
  headless: async () => (await import('./headless.ts')).headless,
};
