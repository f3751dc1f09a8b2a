import { type Headless, KEY, MODEL } from '../shared/headless.ts';

export const headless: Headless = {
  args: (prompt) => ['-p', prompt, '--yolo'],
  env: (url) => ({
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_MODEL: MODEL,
    NO_UPDATE_NOTIFIER: '1',
    QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
  }),
  files: () => ({
    '.qwen/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false },
    }),
  }),
  reachesOut: [],
  npm: {
    install: () => '@qwen-code/qwen-code',
    start: () => ['@qwen-code/qwen-code/cli.js'],
    by: 'node22',
  },
};
