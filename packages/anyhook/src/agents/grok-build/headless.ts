import { type Headless, KEY, MODEL } from '../shared/headless.ts';

const config = (url: string): string => `[model.fake]
model = "${MODEL}"
base_url = "${url}/v1"
api_key = "${KEY}"
api_backend = "chat_completions"
context_window = 200000
`;

export const headless: Headless = {
  args: (prompt) => ['-p', prompt, '-m', 'fake', '--always-approve'],
  env: () => ({ GROK_DISABLE_AUTOUPDATER: '1', GROK_TELEMETRY_ENABLED: 'false' }),
  files: (url) => ({ '.grok/config.toml': config(url) }),
  reachesOut: [],
  npm: {
    install: () => '@xai-official/grok',
    // Its package holds the program packed, and unpacks it in a script that is not run here.
    start: (platform) => [`@xai-official/grok-${platform}/bin/grok.br`],
    by: null,
  },
};
