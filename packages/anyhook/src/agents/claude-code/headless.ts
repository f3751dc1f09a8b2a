import { type Headless, KEY } from '../shared/headless.ts';
import {
  backgroundTrial,
  EVERYWHERE,
  mcpTrial,
  RESUMED,
  slashTrial,
  subagentTrial,
} from '../shared/route-trial.ts';

const workflow = (task: string): string => `export const meta = { name: 'probe', description: 'a probe' };
await agent(${JSON.stringify(task)});
`;

export const headless: Headless = {
  args: (prompt) => ['-p', prompt, '--dangerously-skip-permissions'],
  resume: (prompt) => ['--continue', '-p', prompt, '--dangerously-skip-permissions'],
  env: (url) => ({
    IS_SANDBOX: '1', // allows it to run as root
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  files: () => ({}),
  routes: {
    ...EVERYWHERE,
    ...RESUMED,
    ...backgroundTrial({ run_in_background: true }),
    ...slashTrial('.claude/commands/probe.md', 'Please do the task.\n'),
    ...subagentTrial('/^(?:Agent|Task)$/', (task) => ({
      description: 'probe',
      prompt: task,
      subagent_type: 'general-purpose',
    })),
    // Its scripts call no tools themselves but start subagents, which do.
    code: ({ command, task }) => ({
      calls: [{ tool: 'Workflow', args: { script: workflow(task) } }, { shell: 'sleep 5' }], // it runs in the background
      inside: [{ shell: command }],
    }),
    ...mcpTrial(
      '.claude.json',
      ([command, file]) =>
        JSON.stringify({ mcpServers: { probe: { type: 'stdio', command, args: [file] } } }),
      { tool: 'mcp__probe__touch' },
    ),
  },
  reachesOut: [],
  npm: {
    install: () => '@anthropic-ai/claude-code',
    start: (platform) => [
      `@anthropic-ai/claude-code-${platform}/claude`,
      `@anthropic-ai/claude-code-${platform}-musl/claude`,
    ],
    by: null,
  },
};
