import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { USUAL_WORDS } from '../shared/mcp-settings.ts';
import { inRun } from '../shared/side-routes.ts';
import { extensionIn } from './bridge.ts';
import { can } from './can.ts';
import { piTrust } from './trust.ts';

export const piAgent: Agent<'pi'> = {
  name: 'pi',
  shown: 'pi',
  dialect: 'oh-my-pi',
  program: {
    name: 'pi',
    npm: '@earendil-works/pi-coding-agent',
    places: [],
    quiet: { PI_SKIP_VERSION_CHECK: '1' },
  },
  seen: [
    { version: '1.5.0', on: '2026-11-17' },
    { version: '0.87.1', on: '2026-11-16' },
  ],
  can,
  unseen: {},
  failure: 'the extension refuses; an extension that cannot be read ends pi at its start',
  notes: ['pi skips the extensions of a project without a word, unless it is started with --approve.'],
  ownHooks: ['oh-my-pi@/.pi/'], // it reads its own folders, not those of oh-my-pi
  projectHooks: piTrust,
  neverFires: null,
  marks: ['PI_CODING_AGENT'],
  sessionVariable: null,
  sideRoutes: {
    subagents: inRun('absent'),
    mcp: inRun('asked'),
    background: inRun('absent'),
    stdin: inRun('absent'),
    code: inRun('asked'),
    bang: inRun('unasked'),
    slash: inRun('asked'),
    resumed: inRun('asked'),
    worktree: inRun('asked'),
  },
  tellsSubagents: null,
  bridge: extensionIn({ user: '.pi/agent', project: '.pi' }),
  managed: null,
  trust: null,
  mcp: {
    files: ({ scope, home, cwd }) => [
      scope === 'project' ? join(cwd, '.pi', 'mcp.json') : join(home, '.pi', 'agent', 'mcp.json'),
    ],
    format: 'json',
    under: 'mcpServers',
    words: USUAL_WORDS,
    names: { prefix: 'mcp__', between: '__', isPlain: true },
  },
  guarded: ({ home }) => [join(home, '.pi', 'agent', 'extensions')],
  unhookedBy: ['--no-extensions', '-ne'],
  inside: () => import('./inside.ts'),
  headless: async () => (await import('./headless.ts')).headless,
};
