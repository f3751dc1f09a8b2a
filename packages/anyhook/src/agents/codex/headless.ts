import { type Headless, KEY, MODEL } from '../shared/headless.ts';
import { EVERYWHERE, mcpTrial, RESUMED, subagentTrial, type TrialTerms } from '../shared/route-trial.ts';

const settings = (url: string): readonly string[] => [
  'model_provider=fake',
  `chatgpt_base_url="${url}/chatgpt/"`,
  'check_for_update_on_startup=false',
  'analytics.enabled=false',
  'feedback.enabled=false',
  // Codex downloads these from GitHub and from the vendor at every start.
  ...['plugins', 'remote_plugin', 'plugin_discovery_prefetch', 'apps'].map((one) => `features.${one}=false`),
  `model_providers.fake={name="Fake",base_url="${url}/v1",wire_api="responses",env_key="FAKE_KEY",supports_websockets=false,request_max_retries=0,stream_max_retries=0}`,
];

const words = (url: string): readonly string[] => [
  'exec',
  '--skip-git-repo-check',
  '--dangerously-bypass-approvals-and-sandbox',
  '--dangerously-bypass-hook-trust', // otherwise Codex silently skips the bridge; see its notes
  '-m',
  MODEL,
  ...settings(url).flatMap((one) => ['-c', one]),
];

const CONFIG = '.codex/config.toml';
/** Enables scripts and a server, so that one session can test both. */
const config = ([command, file]: TrialTerms['server']): string => `[features]
code_mode = true

[mcp_servers.probe]
command = ${JSON.stringify(command)}
args = [${JSON.stringify(file)}]
`;

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
      (task) => ({ message: task }),
      { shell: 'sleep 6' }, // it ends with the session
    ),
    // After this time Codex no longer waits for a command.
    background: ({ command }) => ({
      calls: [{ shell: `sleep 1; ${command}`, args: { yield_time_ms: 250 } }, { shell: 'sleep 2' }],
    }),
    code: ({ command, server }) => ({
      calls: [
        { tool: 'exec', args: { input: `await tools.exec_command({ cmd: ${JSON.stringify(command)} });` } },
      ],
      files: { [CONFIG]: config(server) },
    }),
    ...mcpTrial(CONFIG, config),
  },
  reachesOut: [],
  npm: { install: () => '@openai/codex', start: () => ['@openai/codex/bin/codex.js'], by: 'node' },
};
