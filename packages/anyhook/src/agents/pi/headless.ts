import { type Headless, KEY, MODEL } from '../shared/headless.ts';

/** pi and oh-my-pi keep their providers in a file. */
export const providers = (url: string, more: object = {}): string =>
  JSON.stringify({
    providers: {
      fake: {
        baseUrl: `${url}/v1`,
        api: 'openai-completions',
        apiKey: KEY,
        models: [{ id: MODEL, ...more }],
      },
    },
  });

export const headless: Headless = {
  args: (prompt) => ['--provider', 'fake', '--model', MODEL, '-p', prompt],
  env: () => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' }),
  files: (url) => ({ '.pi/agent/models.json': providers(url) }),
  reachesOut: [],
  npm: {
    install: () => '@earendil-works/pi-coding-agent',
    start: () => ['@earendil-works/pi-coding-agent/dist/cli.js'],
    by: 'node22',
  },
};
