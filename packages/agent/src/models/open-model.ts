import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { LoggedIn, LoginOptions } from './logged-in.ts';
import { NoModel } from './no-model.ts';
import { readScript } from './script.ts';
import { readSpec, type Spec } from './spec.ts';

/** Estimated context size by model name. `ANYHOOK_CONTEXT_TOKENS` and the script override it. */
const KNOWN: readonly (readonly [RegExp, number])[] = [
  [/^claude/, 200_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-5/, 400_000],
  [/^o[134]/, 200_000],
  [/^gpt-/, 128_000],
  [/^/, 32_768],
];

/** The script and the environment variable come first, because the table cannot list every model. */
function contextTokensOf(
  { id, contextTokens }: { readonly id: string; readonly contextTokens?: number | undefined },
  env: Readonly<Record<string, string | undefined>>,
): number {
  const value = env['ANYHOOK_CONTEXT_TOKENS'];
  if (value) {
    const tokens = Number(value);
    if (Number.isInteger(tokens) && tokens > 0) return tokens;
    throw new NoModel(`ANYHOOK_CONTEXT_TOKENS is '${value}': it must be a whole number above 0, as 128000.`);
  }
  return contextTokens ?? KNOWN.find(([pattern]) => pattern.test(id))![1];
}

type Env = Readonly<Record<string, string | undefined>>;

export interface ModelTerms {
  readonly env: Env;
  /** Sends every request of the provider. */
  readonly fetch?: typeof fetch;
  /** Credentials of a login. They take precedence over a key in the environment. */
  readonly loggedIn?: LoggedIn;
  /** Like `fetch`, but wraps the `fetch` of a login. */
  readonly around?: (signed: typeof fetch) => typeof fetch;
  /** Base folder for the path of a script. */
  readonly cwd: string;
}
export interface OpenedModel {
  readonly model: LanguageModelV3;
  readonly id: string;
  readonly provider: string;
  /** Context size in tokens. The compaction threshold is a share of it. */
  readonly contextTokens: number;
}

/** Throws `NoModel` for errors that the user can fix. Sends no request. */
export async function openModel(spec: string, terms: ModelTerms): Promise<OpenedModel> {
  const read = readSpec(spec);
  const opened = await open(read, terms);
  return { ...opened, provider: read.provider, contextTokens: contextTokensOf(opened, terms.env) };
}

type ModelAndId = Pick<OpenedModel, 'model' | 'id'> & { readonly contextTokens?: number | undefined };

async function open(spec: Spec, terms: ModelTerms): Promise<ModelAndId> {
  switch (spec.provider) {
    case 'anthropic':
      return { id: spec.id, model: (await anthropic(terms))(spec.id) };
    case 'openai':
      return { id: spec.id, model: (await openAi(terms)).responses(spec.id) };
    case 'openai-chat':
      return { id: spec.id, model: (await openAi(terms)).chat(spec.id) };
    case 'openai-compatible':
      return { id: spec.id, model: (await compatible(spec.url, terms))(spec.id) };
    case 'scripted':
      return scripted(spec.file, terms);
  }
}

async function anthropic(terms: ModelTerms) {
  const login = await terms.loggedIn?.('anthropic');
  const apiKey = login?.apiKey ?? (login?.fetch ? '' : keyOf('ANTHROPIC_API_KEY', terms));
  const { createAnthropic } = await import('@ai-sdk/anthropic');
  return createAnthropic({ apiKey, ...by(login, terms), ...reached(terms, 'ANTHROPIC_BASE_URL', '/v1') });
}

async function compatible(baseURL: string, { env, fetch }: ModelTerms) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const apiKey = env['OPENAI_COMPATIBLE_API_KEY'];
  const name = 'openai-compatible';
  return createOpenAICompatible({
    name,
    baseURL,
    includeUsage: true,
    ...(apiKey && { apiKey }),
    ...(fetch && { fetch }),
  });
}

async function scripted(file: string, { cwd }: ModelTerms): Promise<ModelAndId> {
  const path = resolve(cwd, file);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such file' : error.message;
    throw new NoModel(`scripted:${file}: ${why} (looked at ${path}).`);
  });
  const script = readScript(text, path);
  const { scriptedModel } = await import('./scripted.ts');
  const model = scriptedModel(script);
  return { id: model.modelId, model, contextTokens: script.contextTokens };
}

async function openAi(terms: ModelTerms) {
  const login = await terms.loggedIn?.('openai');
  const apiKey = login?.apiKey ?? (login?.fetch ? '' : keyOf('OPENAI_API_KEY', terms));
  const { createOpenAI } = await import('@ai-sdk/openai');
  return createOpenAI({ apiKey, ...by(login, terms), ...reached(terms, 'OPENAI_BASE_URL') });
}

function keyOf(variable: string, { env }: ModelTerms): string {
  const key = env[variable];
  if (key) return key;
  throw new NoModel(
    `This model needs a key: set ${variable}. Without one: --model scripted:<file> or --model openai-compatible:<url>#<model>.`,
  );
}

/** Anthropic's own programs set the URL without the version, the provider package with it. Accept both. */
function reached({ env }: ModelTerms, variable: string, version = '') {
  const base = env[variable]?.replace(/\/+$/, '');
  return base ? { baseURL: version === '' || base.endsWith(version) ? base : base + version } : {};
}

/** Hooks see a request before the login signs it. */
function by(login: LoginOptions | undefined, { fetch, around }: ModelTerms) {
  const signed = login?.fetch;
  const sent = signed === undefined ? fetch : (around?.(signed) ?? signed);
  return {
    ...(login?.baseURL !== undefined && { baseURL: login.baseURL }),
    ...(login?.headers && { headers: { ...login.headers } }),
    ...(sent && { fetch: sent }),
  };
}
