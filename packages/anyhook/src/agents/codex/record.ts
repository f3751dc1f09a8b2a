import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { COMMAND_AGENT } from '../shared/families.ts';
import { USUAL_WORDS } from '../shared/mcp-settings.ts';
import { routesInRun } from '../shared/side-routes.ts';
import { bridge, codexFolder, managedTier } from './bridge.ts';
import { can } from './dialect/can.ts';
import { codexFolderTrust, codexTrust } from './trust.ts';

export const codexAgent: Agent<'codex'> = {
  ...COMMAND_AGENT,
  name: 'codex',
  shown: 'Codex CLI',
  dialect: 'codex',
  program: { name: 'codex', npm: '@openai/codex', places: [], quiet: {} },
  seen: [
    { version: '0.169.0', on: '2026-11-17' },
    { version: '0.166.0', on: '2026-11-16' },
  ],
  can,
  failure: 'the wrapped entry refuses; a timeout in Codex itself lets the call run',
  nextSteps: [
    'Start codex, open /hooks and trust the entries named "anyhook"; Codex skips hooks that you have not trusted. Check with: anyhook doctor',
  ],
  ownHooks: ['codex'],
  projectHooks: codexFolderTrust,
  marks: ['CODEX_THREAD_ID', 'CODEX_CI', 'CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED'],
  sideRoutes: routesInRun({ stdin: 'unasked', code: 'asked' }),
  tellsSubagents: true,
  usage: {
    from: 'transcript',
    figures: ['tokens', 'cached', 'context', 'window'],
    reader: async () => (await import('./usage.ts')).usageReader,
  },
  bridge,
  managed: managedTier,
  trust: codexTrust,
  mcp: {
    files: (where) => [join(codexFolder(where), 'config.toml')],
    format: 'toml',
    under: 'mcp_servers',
    words: { ...USUAL_WORDS, headers: 'http_headers' },
  },
  guarded: () => [],
  unhookedBy: ['--disable=hooks', 'features.hooks=false', 'features.codex_hooks=false'],
  headless: async () => (await import('./headless.ts')).headless,
};
