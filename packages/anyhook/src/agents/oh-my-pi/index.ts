import { join } from 'node:path';
import { extensionIn } from '../pi/bridge.ts';
import { can } from '../pi/can.ts';
import { inRun } from '../shared/side-routes.ts';
import type { Agent } from '../shared/agent.ts';
import { USUAL_WORDS } from '../shared/mcp-settings.ts';

export const ohMyPiAgent: Agent<'oh-my-pi'> = {
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
  unseen: {},
  failure: 'the extension refuses; an extension file that is gone lets the call run',
  notes: [
    'Without a terminal (`omp -p`) oh-my-pi fires no event for the prompt: hooks are asked right before the agent starts, where a change becomes a refusal.',
  ],
  ownHooks: ['oh-my-pi'],
  projectHooks: 'always',
  neverFires: null,
  marks: ['OMPCODE'],
  sessionVariable: null,
  sideRoutes: {
    subagents: inRun('asked'),
    mcp: inRun('asked'),
    background: inRun('asked'),
    stdin: inRun('absent'),
    code: inRun('asked'),
    bang: inRun('unasked'),
    slash: inRun('asked'),
    resumed: inRun('asked'),
    worktree: inRun('asked'),
  },
  tellsSubagents: false,
  bridge: extensionIn({ user: '.omp/agent', project: '.omp' }),
  managed: null,
  trust: null,
  mcp: {
    files: ({ scope, home, cwd }) => {
      const folder = scope === 'project' ? join(cwd, '.omp') : join(home, '.omp', 'agent');
      return [join(folder, 'mcp.json'), join(folder, '.mcp.json')];
    },
    format: 'json',
    under: 'mcpServers',
    words: { ...USUAL_WORDS, type: { program: 'stdio', address: 'http' } },
  },
  guarded: ({ home }) =>
    ['.omp/agent/extensions', '.omp/agent/hooks', '.omp/hooks'].map((folder) => join(home, folder)),
  unhookedBy: ['--no-extensions'],
  inside: () => import('./inside.ts'),
  headless: async () => (await import('./headless.ts')).headless,
};
