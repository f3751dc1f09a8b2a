import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { MODULE_AGENT } from '../shared/families.ts';
import { USUAL_WORDS } from '../shared/mcp-settings.ts';
import { routesInRun } from '../shared/side-routes.ts';
import { bridge, openCodeFolder, managedTier } from './bridge.ts';
import { can } from './can.ts';

export const opencodeAgent: Agent<'opencode'> = {
  ...MODULE_AGENT,
  name: 'opencode',
  shown: 'OpenCode',
  dialect: 'opencode',
  program: {
    name: 'opencode',
    npm: 'opencode-ai',
    places: ['~/.opencode/bin'],
    quiet: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
  },
  seen: [{ version: '1.18.33', on: '2026-11-16' }],
  can,
  failure: 'the plugin refuses; a missing plugin file lets the call run',
  notes: [
    'OpenCode never calls its permission hook, and a stop cannot be refused.',
    'OpenCode 2 is supported by its published sources and was not tested with a real run.',
  ],
  ownHooks: ['opencode'],
  projectHooks: 'always',
  marks: ['OPENCODE'],
  sideRoutes: routesInRun({ background: 'absent' }),
  tellsSubagents: false,
  usage: {
    from: 'in process',
    figures: ['tokens', 'cached', 'context', 'cost'],
    note: 'Counts from the start of OpenCode. Its subagents are sessions of their own.',
    reader: null,
  },
  bridge,
  managed: managedTier,
  mcp: {
    files: (where) => {
      const folder = where.scope === 'project' ? where.cwd : openCodeFolder(where);
      return [join(folder, 'opencode.json'), join(folder, 'opencode.jsonc')];
    },
    format: 'json',
    under: 'mcp',
    words: {
      ...USUAL_WORDS,
      args: null,
      env: 'environment',
      type: { program: 'local', address: 'remote' },
    },
  },
  guarded: (where) => ['plugin', 'plugins'].map((name) => join(openCodeFolder(where), name)),
  unhookedBy: ['--pure', 'OPENCODE_PURE'],
  inside: () => import('./plugin.ts'),
  headless: async () => (await import('./headless.ts')).headless,
};
