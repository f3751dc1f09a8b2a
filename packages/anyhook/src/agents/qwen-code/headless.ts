import type { Fields } from '../../events/effects.ts';
import { type Headless, KEY, MODEL } from '../shared/headless.ts';
import {
  backgroundTrial,
  EVERYWHERE,
  mcpTrial,
  RESUMED,
  slashTrial,
  subagentTrial,
} from '../shared/route-trial.ts';

const settings = (more: Fields = {}): string =>
  JSON.stringify({
    security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false },
    ...more,
  });

export const headless: Headless = {
  args: (prompt) => ['-p', prompt, '--yolo'],
  resume: (prompt) => ['--continue', '-p', prompt, '--yolo'],
  env: (url) => ({
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_MODEL: MODEL,
    NO_UPDATE_NOTIFIER: '1',
    QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
    QWEN_CODE_NO_RELAUNCH: 'true', // otherwise it restarts itself with more memory
  }),
  files: () => ({ '.qwen/settings.json': settings() }),
  routes: {
    ...EVERYWHERE,
    ...RESUMED,
    ...backgroundTrial({ is_background: true }),
    ...subagentTrial('agent', (task) => ({
      description: 'probe',
      prompt: task,
      subagent_type: 'general-purpose',
      run_in_background: false,
    })),
    ...slashTrial('.qwen/commands/probe.md', 'Please do the task.\n'),
    ...mcpTrial(
      '.qwen/settings.json',
      ([command, file]) => settings({ mcpServers: { probe: { command, args: [file], trust: true } } }),
      { tool: 'tool_call', args: { name: 'mcp__probe__touch', arguments: {} } },
    ),
  },
  reachesOut: [],
  npm: {
    install: () => '@qwen-code/qwen-code',
    start: () => ['@qwen-code/qwen-code/cli.js'],
    by: 'node22',
  },
};
