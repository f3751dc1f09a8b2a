import { isAbsolute, join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { COMMAND_AGENT } from '../shared/families.ts';
import { USUAL_WORDS } from '../shared/mcp-settings.ts';
import { inRun, routesInRun } from '../shared/side-routes.ts';
import { bridge } from './bridge.ts';

export const gooseAgent: Agent<'goose'> = {
  ...COMMAND_AGENT,
  name: 'goose',
  shown: 'Goose',
  dialect: 'goose',
  program: { name: 'goose', npm: '@aaif/goose', places: [], quiet: {} },
  seen: [{ version: '1.52.0', on: '2026-11-16' }],
  can: {
    'session.start': { notice: 'full' },
    'session.end': {},
    'prompt.submit': {},
    'tool.before': { deny: 'full', ask: { as: 'deny' }, defer: { as: 'deny' } },
    'tool.after': {},
    'tool.failed': {},
    'file.edited': {},
    'turn.stop': { resume: 'full' },
  },
  failure: 'the wrapped entry refuses; "on_failure": "block" covers its timeout',
  notes: [
    'Goose shows the model only refusals from hooks, and prompts cannot be refused.',
    'Goose reports to hooks that a tool ran, but not its result, so no hook can redact a secret in a result.',
    'Goose runs no hooks for what a subagent does (`delegate`). While a tool guard is set, the bridge refuses to start one.',
    'Goose runs no hooks for tools that a code mode script calls (`execute_typescript`). While a tool guard is set, the bridge refuses such scripts.',
  ],
  // Goose 1.52 runs hooks of plugins, and none from the files in its document.
  ownHooks: ['goose@/.agents/plugins/'],
  projectHooks: 'always',
  marks: ['AGENT_SESSION_ID', 'GOOSE_TERMINAL'],
  sideRoutes: routesInRun({
    subagents: 'unasked',
    background: 'absent',
    code: inRun('unasked', ['execute_typescript', 'code_execution__execute_typescript']),
    bang: 'absent',
  }),
  tellsSubagents: null,
  usage: null, // its sessions are in a database
  bridge,
  mcp: {
    // It has one file for all projects.
    files: ({ home, env }) => {
      const xdg = env['XDG_CONFIG_HOME'] ?? '';
      return [join(isAbsolute(xdg) ? xdg : join(home, '.config'), 'goose', 'config.yaml')];
    },
    format: 'yaml',
    under: 'extensions',
    words: {
      ...USUAL_WORDS,
      command: 'cmd',
      env: 'envs',
      url: 'uri',
      type: { program: 'stdio', address: 'streamable_http' },
    },
  },
  guarded: ({ home }) => [join(home, '.agents', 'plugins')],
  unhookedBy: [],
  headless: async () => (await import('./headless.ts')).headless,
};
