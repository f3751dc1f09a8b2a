import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { COMMAND_AGENT } from '../shared/families.ts';
import { JSON_SERVERS, USUAL_WORDS } from '../shared/mcp-settings.ts';
import { routesInRun } from '../shared/side-routes.ts';
import { without } from '../shared/without.ts';
import { bridge, managedTier } from './bridge.ts';
import { can } from './dialect/can.ts';
import { copilotTrust } from './trust.ts';

export const copilotCliAgent: Agent<'copilot-cli'> = {
  ...COMMAND_AGENT,
  name: 'copilot-cli',
  shown: 'Copilot CLI',
  dialect: 'copilot-cli',
  program: {
    name: 'copilot',
    npm: '@github/copilot',
    places: [],
    quiet: { COPILOT_AUTO_UPDATE: 'false' },
  },
  seen: [{ version: '1.0.102', on: '2026-11-16' }],
  // The payload of its notifications does not include their type.
  can: without(can, 'notification.sent'),
  failure:
    'the wrapped entry refuses, and so does any exit code but 0; a timeout in Copilot itself lets the call run',
  notes: [
    'Copilot silently skips the hooks of a project unless its folder is trusted (--trust-folder).',
    'In a trusted folder Copilot also runs .claude/settings.json of the project itself.',
    'Copilot silently skips a hook file with invalid JSON.',
  ],
  ownHooks: ['copilot-cli'],
  projectHooks: copilotTrust,
  marks: ['COPILOT_CLI'],
  sideRoutes: routesInRun(),
  tellsSubagents: true,
  usage: {
    from: 'transcript',
    figures: ['tokens', 'cached', 'context', 'window'],
    reader: async () => (await import('./usage.ts')).usageReader,
  },
  bridge,
  managed: managedTier,
  mcp: {
    ...JSON_SERVERS,
    files: ({ scope, home, cwd }) => [
      scope === 'project' ? join(cwd, '.mcp.json') : join(home, '.copilot', 'mcp-config.json'),
    ],
    words: { ...USUAL_WORDS, type: { program: 'local', address: 'http' } },
  },
  guarded: ({ home }) => [join(home, '.copilot', 'hooks')],
  unhookedBy: ['"disableAllHooks"'],
  headless: async () => (await import('./headless.ts')).headless,
};
