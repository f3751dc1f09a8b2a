import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { MODULE_AGENT } from '../shared/families.ts';
import { JSON_SERVERS } from '../shared/mcp-settings.ts';
import { routesInRun } from '../shared/side-routes.ts';
import { extensionIn } from './bridge.ts';
import { can } from './can.ts';
import { piTrust } from './trust.ts';

export const piAgent: Agent<'pi', 'oh-my-pi'> = {
  ...MODULE_AGENT,
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
  failure: 'the extension refuses; pi does not start if it cannot read the extension',
  notes: ['pi silently skips the extensions of a project unless it is started with --approve.'],
  ownHooks: ['oh-my-pi@/.pi/'], // it reads its own folders, not those of oh-my-pi
  projectHooks: piTrust,
  marks: ['PI_CODING_AGENT'],
  sideRoutes: routesInRun({ subagents: 'absent', background: 'absent', code: 'asked' }),
  tellsSubagents: null,
  usage: {
    from: 'in process',
    figures: ['tokens', 'cached', 'context', 'cost'],
    reader: null,
  },
  bridge: extensionIn({ user: '.pi/agent', project: '.pi' }),
  mcp: {
    ...JSON_SERVERS,
    files: ({ scope, home, cwd }) => [
      scope === 'project' ? join(cwd, '.pi', 'mcp.json') : join(home, '.pi', 'agent', 'mcp.json'),
    ],
    names: { prefix: 'mcp__', between: '__', isPlain: true },
  },
  guarded: ({ home }) => [join(home, '.pi', 'agent', 'extensions')],
  unhookedBy: ['--no-extensions', '-ne'],
  inside: () => import('./inside.ts'),
  headless: async () => (await import('./headless.ts')).headless,
};
