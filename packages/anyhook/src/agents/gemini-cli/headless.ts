import type { Fields } from '../../events/effects.ts';
import { type Headless, KEY } from '../shared/headless.ts';
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
    security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    ...more,
  });

export const headless: Headless = {
  args: (prompt) => ['-p', prompt, '--yolo', '-m', 'gemini-2.5-flash'],
  resume: (prompt) => ['--resume', 'latest', '-p', prompt, '--yolo', '-m', 'gemini-2.5-flash'],
  env: (url) => ({
    GEMINI_API_KEY: KEY,
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_DEFAULT_AUTH_TYPE: 'gemini-api-key',
    GEMINI_TELEMETRY_ENABLED: 'false',
    NO_UPDATE_NOTIFIER: '1',
    GEMINI_CLI_NO_RELAUNCH: 'true', // otherwise it restarts itself with more memory
  }),
  files: () => ({
    '.gemini/settings.json': settings(),
  }),
  routes: {
    ...EVERYWHERE,
    ...RESUMED,
    ...backgroundTrial({ is_background: true }),
    ...subagentTrial('invoke_agent', (task) => ({ agent_name: 'generalist', prompt: task })),
    ...slashTrial('.gemini/commands/probe.toml', 'prompt = "Please do the task."\n'),
    ...mcpTrial('.gemini/settings.json', ([command, file]) =>
      settings({ mcpServers: { probe: { command, args: [file], trust: true } } }),
    ),
  },
  reachesOut: [],
  npm: {
    install: () => '@google/gemini-cli',
    start: () => ['@google/gemini-cli/bundle/gemini.js'],
    by: 'node',
  },
};
