import { type Headless, KEY, MODEL } from '../shared/headless.ts';
import { backgroundTrial, EVERYWHERE, mcpTrial, RESUMED, subagentTrial } from '../shared/route-trial.ts';

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
  resume: (prompt) => ['--continue', '-p', prompt, '-m', 'fake'],
  env: () => ({ KIMI_DISABLE_TELEMETRY: '1', KIMI_CODE_NO_AUTO_UPDATE: '1' }),
  files: (url) => ({ '.kimi-code/config.toml': config(url) }),
  routes: {
    ...EVERYWHERE,
    ...RESUMED,
    ...backgroundTrial({ run_in_background: true, description: 'probe' }),
    ...subagentTrial('Agent', (task) => ({ description: 'probe', prompt: task })),
    ...mcpTrial('.kimi-code/mcp.json', ([command, file]) =>
      JSON.stringify({ mcpServers: { probe: { command, args: [file] } } }),
    ),
  },
  reachesOut: [],
  npm: {
    install: () => '@moonshot-ai/kimi-code',
    start: () => ['@moonshot-ai/kimi-code/dist/main.mjs'],
    by: 'node22',
  },
};
