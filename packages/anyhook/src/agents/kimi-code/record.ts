import { isAbsolute, join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { COMMAND_AGENT } from '../shared/families.ts';
import { JSON_SERVERS } from '../shared/mcp-settings.ts';
import { routesInRun } from '../shared/side-routes.ts';
import { bridge } from './bridge.ts';
import { can } from './dialect/can.ts';

export const kimiCodeAgent: Agent<'kimi-code'> = {
  ...COMMAND_AGENT,
  name: 'kimi-code',
  shown: 'Kimi Code',
  dialect: 'kimi-code',
  program: {
    name: 'kimi',
    npm: '@moonshot-ai/kimi-code',
    places: [],
    quiet: { KIMI_CODE_NO_AUTO_UPDATE: '1', KIMI_DISABLE_TELEMETRY: '1' },
  },
  seen: [{ version: '2.1.0', on: '2026-11-16' }],
  can,
  failure: 'the wrapped entry refuses; a timeout in Kimi itself lets the call run',
  notes: [
    'Kimi has user settings only, so anyhook cannot be installed for one project.',
    'Kimi does not wait for hooks after a tool and loses some of them. Their output does not reach the model.',
    'Kimi does not report which tool calls a subagent makes.',
  ],
  ownHooks: ['kimi-code'],
  projectHooks: 'always', // it has no project hooks
  reportsFailedCommands: true,
  marks: [], // it sets none: it can only be detected among the ancestor processes
  sideRoutes: routesInRun(),
  tellsSubagents: false,
  usage: {
    from: 'transcript',
    figures: ['tokens', 'cached', 'context', 'subagents'],
    reader: async () => (await import('./usage.ts')).usageReader,
  },
  bridge,
  mcp: {
    ...JSON_SERVERS,
    files: ({ scope, home, cwd, env }) => {
      if (scope === 'project') return [join(cwd, '.kimi-code', 'mcp.json')];
      const named = env['KIMI_CODE_HOME'] ?? '';
      return [join(isAbsolute(named) ? named : join(home, '.kimi-code'), 'mcp.json')];
    },
  },
  guarded: () => [],
  unhookedBy: [],
  headless: async () => (await import('./headless.ts')).headless,
};
