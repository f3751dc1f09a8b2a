import { type Headless, KEY, MODEL } from '../shared/headless.ts';
import { EVERYWHERE, mcpTrial, RESUMED, SUBTASK, subagentTrial } from '../shared/route-trial.ts';

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
    ...subagentTrial('delegate', { instructions: SUBTASK }),
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
    // The package of the plain name still brings goose 1.34, whose hooks fire but do not block.
    install: (platform) => `@aaif/goose-binary-${platform}`,
    start: (platform) => [`@aaif/goose-binary-${platform}/bin/goose`],
    by: null,
  },
};
