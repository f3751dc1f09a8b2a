/**
 * How each agent is started without a terminal, against a model on loopback, with a home of its own: dummy keys, no
 * telemetry, no updates, no questions. Data, measured on the versions in `agents/capabilities.ts`.
 */
import type { AgentName } from '../../agents/capabilities.ts';

export interface Headless {
  readonly args: (prompt: string, url: string) => readonly string[];
  readonly env: (url: string) => Readonly<Record<string, string>>;
  /** Files that must be there before, below the home folder. */
  readonly files?: (url: string) => Readonly<Record<string, string>>;
}

const MODEL = 'fake-model';
const KEY = 'sk-dummy';
/** For agents that keep their providers in a file. */
const provider = (url: string, more: object = {}): string =>
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

export const HEADLESS: Readonly<Record<AgentName, Headless>> = {
  'claude-code': {
    args: (prompt) => ['-p', prompt, '--dangerously-skip-permissions'],
    env: (url) => ({
      IS_SANDBOX: '1', // lets it run as root, which it would refuse otherwise
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
  },
  codex: {
    args: (prompt, url) => [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      '--dangerously-bypass-hook-trust', // it would skip the bridge without a word; see the notes of its sheet
      '-m',
      MODEL,
      ...codexSettings(url).flatMap((one) => ['-c', one]),
      prompt,
    ],
    env: () => ({ FAKE_KEY: KEY }),
    files: () => ({ '.codex/.keep': '' }),
  },
  'gemini-cli': {
    args: (prompt) => ['-p', prompt, '--yolo', '-m', 'gemini-2.5-flash'],
    env: (url) => ({
      GEMINI_API_KEY: KEY,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_DEFAULT_AUTH_TYPE: 'gemini-api-key',
      GEMINI_TELEMETRY_ENABLED: 'false',
      NO_UPDATE_NOTIFIER: '1',
    }),
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      }),
    }),
  },
  goose: {
    args: (prompt) => ['run', '--with-builtin', 'developer', '-t', prompt],
    env: (url) => ({
      GOOSE_PROVIDER: 'openai',
      GOOSE_MODEL: MODEL,
      OPENAI_API_KEY: KEY,
      OPENAI_HOST: url,
      GOOSE_MODE: 'auto',
      GOOSE_DISABLE_KEYRING: '1',
      GOOSE_TELEMETRY_ENABLED: 'false',
    }),
  },
  opencode: {
    args: (prompt) => ['run', prompt],
    env: (url) => ({
      OPENCODE_CONFIG_CONTENT: opencodeSettings(url),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_SHARE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      npm_config_registry: `${url}/npm/`,
      npm_config_fetch_retries: '0',
    }),
  },
  pi: {
    args: (prompt) => ['--provider', 'fake', '--model', MODEL, '-p', prompt],
    env: () => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' }),
    files: (url) => ({ '.pi/agent/models.json': provider(url) }),
  },
  'oh-my-pi': {
    args: (prompt) => ['--model', `fake/${MODEL}`, '--no-lsp', '-p', prompt],
    env: () => ({ PI_NO_TITLE: '1', PI_OFFLINE: '1', PI_TELEMETRY: '0' }),
    files: (url) => ({
      '.omp/agent/models.yml': provider(url, { name: 'Fake', contextWindow: 200_000, maxTokens: 8_000 }),
    }),
  },
};

const codexSettings = (url: string): readonly string[] => [
  'model_provider=fake',
  `chatgpt_base_url="${url}/chatgpt/"`,
  'check_for_update_on_startup=false',
  'analytics.enabled=false',
  'feedback.enabled=false',
  `model_providers.fake={name="Fake",base_url="${url}/v1",wire_api="responses",env_key="FAKE_KEY",supports_websockets=false,request_max_retries=0,stream_max_retries=0}`,
];

const opencodeSettings = (url: string): string =>
  JSON.stringify({
    autoupdate: false,
    share: 'disabled',
    model: `fake/${MODEL}`,
    small_model: `fake/${MODEL}`,
    provider: {
      fake: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Fake',
        options: { baseURL: `${url}/v1`, apiKey: KEY },
        models: { [MODEL]: { name: 'Fake', limit: { context: 200_000, output: 8_000 } } },
      },
    },
  });
