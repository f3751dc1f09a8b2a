import { type Headless, KEY, MODEL } from '../shared/headless.ts';
import { codeTrial, EVERYWHERE, mcpTrial, RESUMED, slashTrial } from '../shared/route-trial.ts';

/** pi and oh-my-pi read their providers from a file. */
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
  resume: (prompt) => ['--continue', '--provider', 'fake', '--model', MODEL, '-p', prompt],
  env: () => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' }),
  files: (url) => ({ '.pi/agent/models.json': providers(url) }),
  routes: {
    ...EVERYWHERE,
    ...RESUMED,
    ...slashTrial('.pi/agent/prompts/probe.md', 'Please do the task.\n'),
    ...mcpTrial('.pi/agent/mcp.json', ([command, file]) =>
      JSON.stringify({ mcpServers: { probe: { command, args: [file], exposure: 'direct' } } }),
    ),
    ...codeTrial(
      'codemode',
      (command) => ({ code: `return await tools.bash({ command: ${JSON.stringify(command)} });` }),
      { '.pi/agent/settings.json': JSON.stringify({ defaultTools: ['+codemode'] }) },
    ),
  },
  reachesOut: [],
  npm: {
    install: () => '@earendil-works/pi-coding-agent',
    needsOnly: ['quickjs-wasi@3.6.2'],
    start: () => ['@earendil-works/pi-coding-agent/dist/bundle/cli.js'],
    by: 'node22',
  },
};
