import { type Headless, KEY, MODEL } from '../shared/headless.ts';
import { backgroundTrial, EVERYWHERE, mcpTrial, RESUMED, subagentTrial } from '../shared/route-trial.ts';

export const headless: Headless = {
  args: (prompt) => ['-p', prompt, '--allow-all-tools'],
  resume: (prompt) => ['--continue', '-p', prompt, '--allow-all-tools'],
  env: (url) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: KEY,
    COPILOT_MODEL: MODEL,
  }),
  files: () => ({}),
  routes: {
    ...EVERYWHERE,
    ...RESUMED,
    ...backgroundTrial({ mode: 'async' }),
    ...subagentTrial('task', (task) => ({
      name: 'probe',
      description: 'probe',
      prompt: task,
      agent_type: 'general-purpose',
      mode: 'sync',
    })),
    ...mcpTrial('.copilot/mcp-config.json', ([command, file]) =>
      JSON.stringify({ mcpServers: { probe: { type: 'local', command, args: [file], tools: ['*'] } } }),
    ),
  },
  reachesOut: [],
  npm: {
    install: () => '@github/copilot',
    start: (platform) => [`@github/copilot-${platform}/copilot`],
    by: null,
    // It unpacks 235 MB at its first start in a home.
    once: (folder) => ({ COPILOT_PKG_CACHE_HOME: folder }),
  },
};
