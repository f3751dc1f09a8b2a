/** How each real agent is started without a terminal, against a model on loopback, with a home of its own. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentName } from '../../src/agents/capabilities.ts';
import * as clients from './packages.ts';

export interface Ground {
  readonly home: string;
  readonly project: string;
  readonly url: string;
}
export interface Start {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}
export interface Agent {
  /** Its folder in the cache. */
  readonly client: string;
  readonly start: (ground: Ground) => Start;
  /** Where it asks whatever it is told; here nobody answers. */
  readonly reachesOut?: readonly string[];
}

const PROMPT = 'Please do the task.';
const put = (file: string, value: object | string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
};

/** oh-my-pi asks these for their lists of models, whether or not anybody has a key. */
const OMP_PROVIDERS = ['alibaba-coding-plan', 'charm-hyper', 'commandcode', 'kilo', 'venice', 'zenmux'];

export const AGENTS: Readonly<Record<AgentName, Agent>> = {
  'claude-code': {
    client: 'claude',
    start: ({ url }) => ({
      file: clients.claude(),
      args: ['-p', PROMPT, '--dangerously-skip-permissions'],
      env: {
        IS_SANDBOX: '1', // lets it run as root, which it would refuse otherwise
        ANTHROPIC_API_KEY: 'sk-dummy',
        ANTHROPIC_BASE_URL: url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_TELEMETRY: '1',
        DISABLE_ERROR_REPORTING: '1',
        DISABLE_AUTOUPDATER: '1',
      },
    }),
  },
  opencode: {
    client: 'opencode',
    start: ({ url }) => ({
      file: clients.opencode(),
      args: ['run', PROMPT],
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          autoupdate: false,
          share: 'disabled',
          model: 'fake/fake-model',
          small_model: 'fake/fake-model',
          provider: {
            fake: {
              npm: '@ai-sdk/openai-compatible',
              name: 'Fake',
              options: { baseURL: `${url}/v1`, apiKey: 'sk-dummy' },
              models: { 'fake-model': { name: 'Fake', limit: { context: 200_000, output: 8_000 } } },
            },
          },
        }),
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_SHARE: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
        npm_config_registry: `${url}/npm/`,
        npm_config_fetch_retries: '0',
      },
    }),
  },
  pi: {
    client: 'pi',
    start: ({ home, url }) => {
      const models = [{ id: 'fake-model' }];
      const fake = { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'sk-dummy', models };
      put(join(home, '.pi/agent/models.json'), { providers: { fake } });
      return {
        file: clients.node22(),
        args: [clients.pi(), '--provider', 'fake', '--model', 'fake-model', '-p', PROMPT],
        env: { PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' },
      };
    },
  },
  'oh-my-pi': {
    client: 'omp',
    reachesOut: ['CONNECT catalog.stencil.so:443'], // a catalogue of models
    start: ({ home, url }) => {
      const models = [{ id: 'fake-model', name: 'Fake', contextWindow: 200_000, maxTokens: 8_000 }];
      const fake = { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'sk-dummy', models };
      put(join(home, '.omp/agent/models.yml'), JSON.stringify({ providers: { fake } }));
      put(join(home, '.omp/agent/config.yml'), JSON.stringify({ disabledProviders: OMP_PROVIDERS }));
      return {
        file: clients.bun(),
        args: [clients.omp(), '--model', 'fake/fake-model', '--no-lsp', '-p', PROMPT],
        env: { PI_NO_TITLE: '1', PI_OFFLINE: '1', PI_TELEMETRY: '0' },
      };
    },
  },
  goose: {
    client: 'goose',
    start: ({ url }) => ({
      file: clients.goose(),
      args: ['run', '--with-builtin', 'developer', '-t', PROMPT],
      env: {
        GOOSE_PROVIDER: 'openai',
        GOOSE_MODEL: 'fake-model',
        OPENAI_API_KEY: 'sk-dummy',
        OPENAI_HOST: url,
        GOOSE_MODE: 'auto',
        GOOSE_DISABLE_KEYRING: '1',
        GOOSE_TELEMETRY_ENABLED: 'false',
      },
    }),
  },
  codex: {
    client: 'codex',
    start: ({ home, url }) => {
      mkdirSync(join(home, '.codex'), { recursive: true });
      const provider = `{name="Fake",base_url="${url}/v1",wire_api="responses",env_key="FAKE_KEY",supports_websockets=false,request_max_retries=0,stream_max_retries=0}`;
      const settings = [
        'model_provider=fake',
        `chatgpt_base_url="${url}/chatgpt/"`,
        'check_for_update_on_startup=false',
        'analytics.enabled=false',
        'feedback.enabled=false',
        // They are fetched from GitHub and from the vendor at every start.
        ...['plugins', 'remote_plugin', 'plugin_discovery_prefetch', 'apps'].map(
          (one) => `features.${one}=false`,
        ),
        `model_providers.fake=${provider}`,
      ];
      return {
        file: process.execPath,
        args: [
          clients.codex(),
          'exec',
          '--skip-git-repo-check',
          '--dangerously-bypass-approvals-and-sandbox',
          '--dangerously-bypass-hook-trust',
          '-m',
          'fake-model',
          ...settings.flatMap((one) => ['-c', one]),
          PROMPT,
        ],
        env: { FAKE_KEY: 'sk-dummy' },
      };
    },
  },
  'gemini-cli': {
    client: 'gemini',
    start: ({ url }) => ({
      file: process.execPath,
      args: [clients.gemini(), '-p', PROMPT, '--yolo', '-m', 'gemini-2.5-flash'],
      env: {
        GEMINI_API_KEY: 'sk-dummy',
        GOOGLE_GEMINI_BASE_URL: url,
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        GEMINI_DEFAULT_AUTH_TYPE: 'gemini-api-key',
        GEMINI_TELEMETRY_ENABLED: 'false',
        NO_UPDATE_NOTIFIER: '1',
      },
    }),
  },
};

/** Settings that an agent needs before anything is installed into them. */
export function settle(agent: AgentName, { home }: Ground): void {
  if (agent !== 'gemini-cli') return;
  put(join(home, '.gemini/settings.json'), {
    security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  });
}
