import { type Headless, KEY, MODEL } from '../shared/headless.ts';
import { EVERYWHERE, mcpTrial, RESUMED, SUBTASK, subagentTrial } from '../shared/route-trial.ts';

const settings = (url: string): readonly string[] => [
  'model_provider=fake',
  `chatgpt_base_url="${url}/chatgpt/"`,
  'check_for_update_on_startup=false',
  'analytics.enabled=false',
  'feedback.enabled=false',
  // They are fetched from GitHub and from the vendor at every start.
  ...['plugins', 'remote_plugin', 'plugin_discovery_prefetch', 'apps'].map((one) => `features.${one}=false`),
  `model_providers.fake={name="Fake",base_url="${url}/v1",wire_api="responses",env_key="FAKE_KEY",supports_websockets=false,request_max_retries=0,stream_max_retries=0}`,
];

const words = (url: string): readonly string[] => [
  'exec',
  '--skip-git-repo-check',
  '--dangerously-bypass-approvals-and-sandbox',
  '--dangerously-bypass-hook-trust', // it would skip the bridge without a word; see its notes
  '-m',
  MODEL,
  ...settings(url).flatMap((one) => ['-c', one]),
];

export const headless: Headless = {
  args: (prompt, url) => [...words(url), prompt],
  resume: (prompt, url) => [...words(url), 'resume', '--last', prompt],
  env: () => ({ FAKE_KEY: KEY }),
  files: () => ({ '.codex/.keep': '' }),
  routes: {
    ...EVERYWHERE,
    ...RESUMED,
    ...subagentTrial(
      'spawn_agent',
      { message: SUBTASK },
      { shell: 'sleep 6' }, // it ends with the session
    ),
    ...mcpTrial(
      '.codex/config.toml',
      ([command, file]) =>
        `[mcp_servers.probe]\ncommand = ${JSON.stringify(command)}\nargs = [${JSON.stringify(file)}]\n`,
    ),
  },
  reachesOut: [],
  npm: { install: () => '@openai/codex', start: () => ['@openai/codex/bin/codex.js'], by: 'node' },
};
