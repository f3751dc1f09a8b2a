import { providers } from '../pi/headless.ts';
import { type Headless, MODEL } from '../shared/headless.ts';
import {
  backgroundTrial,
  EVERYWHERE,
  mcpTrial,
  RESUMED,
  slashTrial,
  subagentTrial,
} from '../shared/route-trial.ts';

/** It requests model lists from these, even without keys. */
const ASKED = ['alibaba-coding-plan', 'charm-hyper', 'commandcode', 'kilo', 'venice', 'zenmux'];

export const headless: Headless = {
  args: (prompt) => ['--model', `fake/${MODEL}`, '--no-lsp', '-p', prompt],
  resume: (prompt) => ['--continue', '--model', `fake/${MODEL}`, '--no-lsp', '-p', prompt],
  env: () => ({ PI_NO_TITLE: '1', PI_OFFLINE: '1', PI_TELEMETRY: '0' }),
  files: (url) => ({
    '.omp/agent/models.yml': providers(url, { name: 'Fake', contextWindow: 200_000, maxTokens: 8_000 }),
    '.omp/agent/config.yml': JSON.stringify({ disabledProviders: ASKED }),
  }),
  routes: {
    ...EVERYWHERE,
    ...RESUMED,
    ...backgroundTrial({ async: true }),
    ...slashTrial('.omp/agent/commands/probe.md', 'Please do the task.\n'),
    ...subagentTrial('task', (task) => ({ context: 'A probe.', tasks: [{ task: task, agent: 'task' }] }), {
      shell: 'sleep 3',
    }),
    // Tools of MCP servers are devices there, which are called by writing.
    ...mcpTrial(
      '.omp/agent/mcp.json',
      ([command, file]) =>
        JSON.stringify({ mcpServers: { probe: { type: 'stdio', command, args: [file] } } }),
      { tool: 'write', args: { path: 'xd://mcp__probe_touch', content: '{}' } },
    ),
  },
  reachesOut: ['CONNECT catalog.stencil.so:443'], // a catalogue of models
  npm: {
    install: () => '@oh-my-pi/pi-coding-agent',
    start: () => ['@oh-my-pi/pi-coding-agent/dist/cli.js'],
    by: 'bun',
  },
};
