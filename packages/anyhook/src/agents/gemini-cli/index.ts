import { join } from 'node:path';
import { can } from '../../dialects/gemini-cli/can.ts';
import type { Agent } from '../shared/agent.ts';
import { USUAL_WORDS } from '../shared/mcp-settings.ts';
import { without } from '../shared/without.ts';
import { inRun } from '../shared/side-routes.ts';
import { bridge, managedTier } from './bridge.ts';
import { geminiTrust } from './trust.ts';

export const geminiCliAgent: Agent<'gemini-cli'> = {
  name: 'gemini-cli',
  shown: 'Gemini CLI',
  dialect: 'gemini-cli',
  program: { name: 'gemini', npm: '@google/gemini-cli', places: [], quiet: { NO_UPDATE_NOTIFIER: '1' } },
  seen: [{ version: '0.61.0', on: '2026-11-16' }],
  can: without(can, 'compaction.before'),
  unseen: {},
  failure: 'the wrapped entry refuses; a time-out of Gemini itself lets the call run',
  notes: ['PreCompress is not bridged: Gemini fires it before every request to the model.'],
  ownHooks: ['gemini-cli'],
  projectHooks: geminiTrust,
  neverFires: null,
  marks: ['GEMINI_CLI'],
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
  tellsSubagents: false,
  bridge,
  managed: managedTier,
  trust: null,
  mcp: {
    files: ({ scope, home, cwd }) => [join(scope === 'project' ? cwd : home, '.gemini', 'settings.json')],
    format: 'json',
    under: 'mcpServers',
    words: { ...USUAL_WORDS, url: 'httpUrl' },
  },
  guarded: ({ home }) => [join(home, '.gemini', 'extensions')],
  unhookedBy: [],
  inside: null,
  headless: async () => (await import('./headless.ts')).headless,
};
