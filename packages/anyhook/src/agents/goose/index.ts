import { isAbsolute, join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { USUAL_WORDS } from '../shared/mcp-settings.ts';
import { bridge } from './bridge.ts';

export const gooseAgent: Agent<'goose'> = {
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
  unseen: {},
  failure: 'the wrapped entry refuses; "on_failure": "block" covers its time-out',
  notes: ['Goose shows the model nothing of what hooks say but a refusal, and prompts cannot be refused.'],
  // Goose 1.52 runs the hooks of its plugins, and none of the files that its document names.
  ownHooks: ['goose@/.agents/plugins/'],
  marks: ['GOOSE_TERMINAL'],
  sessionVariable: null,
  sideRoutes: {
    stdin: 'unknown',
    bang: 'unknown',
    code: 'unknown',
    background: 'unknown',
    subagents: 'unknown',
    mcp: 'asked',
  },
  bridge,
  managed: null,
  trust: null,
  mcp: {
    // It has one file, whatever the project.
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
  inside: null,
  headless: async () => (await import('./headless.ts')).headless,
};
