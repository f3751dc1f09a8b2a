import { type Headless, KEY, MODEL } from '../shared/headless.ts';
import {
  codeTrial,
  EVERYWHERE,
  mcpTrial,
  RESUMED,
  slashTrial,
  subagentTrial,
} from '../shared/route-trial.ts';

const RECIPE = `version: "1.0.0"
title: probe
description: a probe
prompt: Please do the task.
instructions: Please do the task.
`;

export const headless: Headless = {
  args: (prompt) => ['run', '--with-builtin', 'developer', '-t', prompt],
  resume: (prompt) => ['run', '--resume', '--with-builtin', 'developer', '-t', prompt],
  env: (url) => ({
    GOOSE_PROVIDER: 'openai',
    GOOSE_MODEL: MODEL,
    OPENAI_API_KEY: KEY,
    OPENAI_HOST: url,
    GOOSE_MODE: 'auto',
    GOOSE_DISABLE_KEYRING: '1',
    GOOSE_TELEMETRY_ENABLED: 'false',
  }),
  files: () => ({}),
  routes: {
    ...EVERYWHERE,
    ...RESUMED,
    ...slashTrial(
      '.config/goose/config.yaml',
      'slash_commands:\n  - command: probe\n    recipe_path: "~/probe.yaml"\n',
      { 'probe.yaml': RECIPE },
    ),
    ...codeTrial(
      '/execute_typescript$/',
      (command) => ({
        code: `async function run() { return await Developer.shell(${JSON.stringify({ command })}); }`,
        tool_graph: [],
      }),
      {
        '.config/goose/config.yaml': JSON.stringify({
          extensions: {
            code_execution: { enabled: true, type: 'platform', name: 'code_execution', description: '' },
          },
        }),
      },
    ),
    ...subagentTrial('delegate', (task) => ({ instructions: task })),
    ...mcpTrial('.config/goose/config.yaml', ([command, file]) =>
      JSON.stringify({
        extensions: {
          probe: { enabled: true, type: 'stdio', name: 'probe', cmd: command, args: [file], timeout: 30 },
        },
      }),
    ),
  },
  reachesOut: [],
  npm: {
    // The unscoped package still contains goose 1.34, whose hooks fire but do not block.
    install: (platform) => `@aaif/goose-binary-${platform}`,
    start: (platform) => [`@aaif/goose-binary-${platform}/bin/goose`],
    by: null,
  },
};
