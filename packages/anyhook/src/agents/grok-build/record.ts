import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { COMMAND_AGENT } from '../shared/families.ts';
import { homeOrProject, USUAL_WORDS } from '../shared/mcp-settings.ts';
import { routesInRun } from '../shared/side-routes.ts';
import { without } from '../shared/without.ts';
import { bridge, managedTier } from './bridge.ts';
import { can } from './dialect/can.ts';
import { grokTrust } from './trust.ts';

export const grokBuildAgent: Agent<'grok-build'> = {
  ...COMMAND_AGENT,
  name: 'grok-build',
  shown: 'Grok Build',
  dialect: 'grok-build',
  program: {
    name: 'grok',
    npm: '@xai-official/grok',
    places: ['~/.grok/bin'],
    quiet: { GROK_DISABLE_AUTOUPDATER: '1', GROK_TELEMETRY_ENABLED: 'false' },
  },
  seen: [{ version: '1.0.41', on: '2026-11-16' }],
  can: without(can, 'session.error', 'tool.denied'),
  failure: 'the wrapped entry refuses; a timeout in Grok itself lets the call run',
  notes: [
    'Grok runs the hooks in ~/.claude/settings.json itself. anyhook runs only those on MCP tools (`mcp__`), because Grok never fires them. A Claude Code bridge in that file answers for Grok, and does nothing if Grok has its own bridge.',
    'Grok silently skips the hooks of a project unless it is a git repository and trusted (/hooks-trust or --trust).',
    'Grok maps `NotebookEdit` in a Claude Code matcher to its own edit tool, so such a hook also runs for ordinary edits.',
    'Hook output at session start or prompt submit does not reach the model of Grok.',
  ],
  ownHooks: ['grok-build', 'claude-code@/.claude/settings'],
  projectHooks: grokTrust,
  neverFires: 'mcp__',
  marks: ['GROK_AGENT', 'GROK_SESSION_ID', 'GROK_WORKSPACE_ROOT'],
  sessionVariable: 'GROK_SESSION_ID',
  sideRoutes: routesInRun({ code: 'asked' }),
  tellsSubagents: true,
  usage: null, // its session files state usage when a turn ends, and not before
  bridge,
  managed: managedTier,
  mcp: {
    files: homeOrProject('.grok/config.toml'),
    format: 'toml',
    under: 'mcp_servers',
    words: USUAL_WORDS,
  },
  guarded: ({ home }) => [join(home, '.grok', 'hooks'), join(home, '.grok', 'plugins')],
  unhookedBy: [],
  headless: async () => (await import('./headless.ts')).headless,
};
