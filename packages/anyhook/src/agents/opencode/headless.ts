import { type Headless, KEY, MODEL } from '../shared/headless.ts';
import { EVERYWHERE, mcpTrial, RESUMED, slashTrial, subagentTrial } from '../shared/route-trial.ts';

const settings = (url: string): string =>
  JSON.stringify({
    autoupdate: false,
    share: 'disabled',
    model: `fake/${MODEL}`,
    small_model: `fake/${MODEL}`,
    provider: {
      fake: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Fake',
        options: { baseURL: `${url}/v1`, apiKey: KEY },
        models: { [MODEL]: { name: 'Fake', limit: { context: 200_000, output: 8_000 } } },
      },
    },
  });

export const headless: Headless = {
  // OpenCode takes a user command as an option, not as a prompt.
  args: (prompt) => (prompt.startsWith('/') ? ['run', '--command', prompt.slice(1), 'now'] : ['run', prompt]),
  resume: (prompt) => ['run', '--continue', prompt],
  env: (url) => ({
    OPENCODE_CONFIG_CONTENT: settings(url),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_SHARE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    npm_config_registry: `${url}/npm/`,
    npm_config_fetch_retries: '0',
  }),
  files: () => ({}),
  routes: {
    ...EVERYWHERE,
    ...RESUMED,
    ...slashTrial('.config/opencode/command/probe.md', 'Please do the task.\n'),
    ...subagentTrial('task', (task) => ({ description: 'probe', prompt: task, subagent_type: 'general' })),
    ...mcpTrial('.config/opencode/opencode.json', (command) =>
      JSON.stringify({ mcp: { probe: { type: 'local', command, enabled: true } } }),
    ),
  },
  reachesOut: [],
  npm: {
    install: () => 'opencode-ai',
    start: (platform) => [`opencode-${platform}/bin/opencode`],
    by: null,
  },
};
