import { join } from 'node:path';
import { can } from '../../dialects/qwen-code/can.ts';
import type { Agent } from '../shared/agent.ts';
import { USUAL_WORDS } from '../shared/mcp-settings.ts';
import { inRun } from '../shared/side-routes.ts';
import { bridge, managedTier } from './bridge.ts';

export const qwenCodeAgent: Agent<'qwen-code'> = {
  name: 'qwen-code',
  shown: 'Qwen Code',
  dialect: 'qwen-code',
  program: { name: 'qwen', npm: '@qwen-code/qwen-code', places: [], quiet: { NO_UPDATE_NOTIFIER: '1' } },
  seen: [{ version: '0.24.4', on: '2026-11-16' }],
  can,
  unseen: {},
  failure: 'the wrapped entry refuses; a time-out of Qwen itself lets the call run',
  notes: [
    'With folder trust on, Qwen drops the hooks of a project that it was not told to trust, and goes on.',
    'Qwen applies no change of a call: a hook that wants one refuses it there.',
  ],
  ownHooks: ['qwen-code'],
  projectHooks: 'unknown', // it asks about each hook of a project
  neverFires: null,
  marks: ['QWEN_CODE'],
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
    files: ({ scope, home, cwd }) => [join(scope === 'project' ? cwd : home, '.qwen', 'settings.json')],
    format: 'json',
    under: 'mcpServers',
    words: { ...USUAL_WORDS, url: 'httpUrl' },
  },
  guarded: ({ home }) => [join(home, '.qwen', 'extensions')],
  unhookedBy: ['"disableAllHooks"'],
  inside: null,
  headless: async () => (await import('./headless.ts')).headless,
};
