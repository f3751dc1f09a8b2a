import { type Headless, KEY, MODEL } from '../shared/headless.ts';
import {
  backgroundTrial,
  EVERYWHERE,
  mcpTrial,
  RESUMED,
  slashTrial,
  subagentTrial,
} from '../shared/route-trial.ts';

const config = (url: string): string => `[model.fake]
model = "${MODEL}"
base_url = "${url}/v1"
api_key = "${KEY}"
api_backend = "chat_completions"
context_window = 200000
`;

export const headless: Headless = {
  args: (prompt) => ['-p', prompt, '-m', 'fake', '--always-approve'],
  resume: (prompt) => ['--continue', '-p', prompt, '-m', 'fake', '--always-approve'],
  env: () => ({ GROK_DISABLE_AUTOUPDATER: '1', GROK_TELEMETRY_ENABLED: 'false' }),
  files: (url) => ({ '.grok/config.toml': config(url) }),
  routes: {
    ...EVERYWHERE,
    ...RESUMED,
    ...backgroundTrial({ background: true }),
    ...slashTrial('.grok/commands/probe.md', 'Please do the task.\n'),
    ...subagentTrial('spawn_subagent', (task) => ({ description: 'probe', prompt: task, background: false })),
    ...mcpTrial(
      '.grok/config.toml',
      ([command, file], url) =>
        `${config(url)}\n[mcp_servers.probe]\ncommand = ${JSON.stringify(command)}\nargs = [${JSON.stringify(file)}]\n`,
      { tool: 'search_tool', args: { query: 'touch' } }, // the tool is not available before a search for it
      { tool: 'use_tool', args: { tool_name: 'probe__touch', tool_input: {} } },
    ),
  },
  reachesOut: [],
  npm: {
    install: () => '@xai-official/grok',
    // Its package contains a compressed program and unpacks it in an install script, which does not run here.
    start: (platform) => [`@xai-official/grok-${platform}/bin/grok.br`],
    by: null,
  },
};
