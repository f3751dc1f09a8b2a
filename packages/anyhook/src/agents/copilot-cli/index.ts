import { join } from 'node:path';
import { can } from '../../dialects/copilot-cli/can.ts';
import type { Agent } from '../shared/agent.ts';
import { USUAL_WORDS } from '../shared/mcp-settings.ts';
import { without } from '../shared/without.ts';
import { inRun } from '../shared/side-routes.ts';
import { bridge, managedTier } from './bridge.ts';
import { copilotTrust } from './trust.ts';

export const copilotCliAgent: Agent<'copilot-cli'> = {
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
  // The payload of its notifications does not say what it is.
  can: without(can, 'notification.sent'),
  unseen: {},
  failure:
    'the wrapped entry refuses, and so does any exit code but 0; a time-out of Copilot itself lets the call run',
  notes: [
    'Copilot skips the hooks of a project, without a word, unless its folder is trusted (--trust-folder).',
    'In a trusted folder it also runs .claude/settings.json of the project by itself.',
    'A hook file with broken JSON is passed over by Copilot without a word.',
  ],
  ownHooks: ['copilot-cli'],
  projectHooks: copilotTrust,
  neverFires: null,
  marks: ['COPILOT_CLI'],
  sessionVariable: null,
  sideRoutes: {
    subagents: inRun('asked'),
    mcp: inRun('asked'),
    background: inRun('asked'),
    stdin: inRun('absent'),
    code: inRun('absent'),
    bang: inRun('unasked'),
    slash: inRun('asked'),
    resumed: inRun('asked'),
    worktree: inRun('asked'),
  },
  tellsSubagents: true,
  bridge,
  managed: managedTier,
  trust: null,
  mcp: {
    files: ({ scope, home, cwd }) => [
      scope === 'project' ? join(cwd, '.mcp.json') : join(home, '.copilot', 'mcp-config.json'),
    ],
    format: 'json',
    under: 'mcpServers',
    words: { ...USUAL_WORDS, type: { program: 'local', address: 'http' } },
  },
  guarded: ({ home }) => [join(home, '.copilot', 'hooks')],
  unhookedBy: ['"disableAllHooks"'],
  inside: null,
  headless: async () => (await import('./headless.ts')).headless,
};
