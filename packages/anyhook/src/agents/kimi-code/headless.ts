import { type Headless, KEY, MODEL } from '../shared/headless.ts';

const config = (url: string): string => `default_model = "fake"

[providers.fake]
type = "openai"
base_url = "${url}/v1"
api_key = "${KEY}"

[models.fake]
provider = "fake"
model = "${MODEL}"
max_context_size = 200000
`;

export const headless: Headless = {
  args: (prompt) => ['-p', prompt, '-m', 'fake'],
  env: () => ({ KIMI_DISABLE_TELEMETRY: '1', KIMI_CODE_NO_AUTO_UPDATE: '1' }),
  files: (url) => ({ '.kimi-code/config.toml': config(url) }),
  reachesOut: [],
  npm: {
    install: () => '@moonshot-ai/kimi-code',
    start: () => ['@moonshot-ai/kimi-code/dist/main.mjs'],
    by: 'node22',
  },
};
