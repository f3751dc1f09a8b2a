import { join } from 'node:path';
import { can } from './dialect/can.ts';
import type { Agent } from '../shared/agent.ts';
import { COMMAND_AGENT } from '../shared/families.ts';
import { homeOrProject, USUAL_WORDS } from '../shared/mcp-settings.ts';
import { without } from '../shared/without.ts';
import { routesInRun } from '../shared/side-routes.ts';
import { bridge, managedTier } from './bridge.ts';
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
  failure: 'the wrapped entry refuses; a time-out of Grok itself lets the call run',
  notes: [
    'Grok runs ~/.claude/settings.json by itself: those hooks are left to it, except hooks on MCP tools (`mcp__`), which never fire there and are run by anyhook. A bridge that is installed there for Claude Code answers in its place, and is silent where Grok has one of its own.',
    'Grok skips the hooks of a project, without a word, unless it is a git repository and trusted (/hooks-trust or --trust).',
    'Grok takes `NotebookEdit` in a Claude Code matcher for its own edit tool, so such a hook is also asked about ordinary edits.',
    'What hooks say when a session or a prompt begins does not reach its model.',
  ],
  ownHooks: ['grok-build', 'claude-code@/.claude/settings'],
  projectHooks: grokTrust,
  neverFires: 'mcp__',
  marks: ['GROK_AGENT', 'GROK_SESSION_ID', 'GROK_WORKSPACE_ROOT'],
  sessionVariable: 'GROK_SESSION_ID',
  sideRoutes: routesInRun({ code: 'asked' }),
  tellsSubagents: true,
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
