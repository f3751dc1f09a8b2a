import { type Headless, KEY, MODEL } from '../shared/headless.ts';

export const headless: Headless = {
  args: (prompt) => ['-p', prompt, '--allow-all-tools'],
  env: (url) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: KEY,
    COPILOT_MODEL: MODEL,
  }),
  files: () => ({}),
  reachesOut: [],
  npm: {
    install: () => '@github/copilot',
    start: (platform) => [`@github/copilot-${platform}/copilot`],
    by: null,
  },
};
