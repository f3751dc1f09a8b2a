import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { COMMAND_AGENT } from '../shared/families.ts';
import { homeOrProject, JSON_SERVERS, USUAL_WORDS } from '../shared/mcp-settings.ts';
import { routesInRun } from '../shared/side-routes.ts';
import { without } from '../shared/without.ts';
import { bridge, managedTier } from './bridge.ts';
import { can } from './dialect/can.ts';
import { geminiTrust } from './trust.ts';

export const geminiCliAgent: Agent<'gemini-cli'> = {
  ...COMMAND_AGENT,
  name: 'gemini-cli',
  shown: 'Gemini CLI',
  dialect: 'gemini-cli',
  program: { name: 'gemini', npm: '@google/gemini-cli', places: [], quiet: { NO_UPDATE_NOTIFIER: '1' } },
  seen: [{ version: '0.61.0', on: '2026-11-16' }],
  can: without(can, 'compaction.before'),
  failure: 'the wrapped entry refuses; a timeout in Gemini itself lets the call run',
  notes: ['PreCompress is not bridged: Gemini fires it before every request to the model.'],
  ownHooks: ['gemini-cli'],
  projectHooks: geminiTrust,
  marks: ['GEMINI_CLI'],
  sideRoutes: routesInRun(),
  tellsSubagents: false,
  usage: {
    from: 'transcript',
    figures: ['tokens', 'cached', 'context'],
    reader: async () => (await import('./usage.ts')).usageReader,
  },
  bridge,
  managed: managedTier,
  mcp: {
    ...JSON_SERVERS,
    files: homeOrProject('.gemini/settings.json'),
    words: { ...USUAL_WORDS, url: 'httpUrl' },
  },
  guarded: ({ home }) => [join(home, '.gemini', 'extensions')],
  unhookedBy: [],
  headless: async () => (await import('./headless.ts')).headless,
};
