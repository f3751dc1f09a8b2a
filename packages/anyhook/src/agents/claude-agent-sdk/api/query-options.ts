/**
 * Converts the options of the published SDK's `query({ prompt, options })` to ours. Known options become arguments of
 * the CLI.
 */

import { isFields } from '../../../events/fields.ts';
import type { HooksByEvent, PublishedHooks } from '../dialect/hook-callback.ts';
import { type CanUseTool, permissionRequests } from './can-use-tool.ts';
import type { ClientOptions } from './client.ts';
import type { LooseFields } from './frame.ts';

/** The published `Options` that apply to a CLI on a pipe. Others are accepted and ignored. */
export interface QueryOptions<H = HooksByEvent> extends Omit<ClientOptions, 'hooks'> {
  readonly hooks?: H;
  /** Aborts the query, like `signal`. */
  readonly abortController?: AbortController;
  /** Called for actions that need consent. */
  readonly canUseTool?: CanUseTool;
  readonly model?: string;
  readonly fallbackModel?: string;
  readonly agent?: string;
  readonly permissionMode?: string;
  readonly allowDangerouslySkipPermissions?: boolean;
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  /** Available tools; default, and with the preset: the CLI's own. */
  readonly tools?: readonly string[] | { readonly type: 'preset'; readonly preset: string };
  readonly additionalDirectories?: readonly string[];
  readonly settingSources?: readonly string[];
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  readonly maxThinkingTokens?: number;
  readonly effort?: string;
  readonly betas?: readonly string[];
  readonly resume?: string;
  readonly continue?: boolean;
  readonly forkSession?: boolean;
  readonly resumeSessionAt?: string;
  readonly sessionId?: string;
  /** False: the session is not stored in a file. */
  readonly persistSession?: boolean;
  readonly includePartialMessages?: boolean;
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  readonly strictMcpConfig?: boolean;
  /** A replacement of the CLI's system prompt, or a text appended to it. */
  readonly systemPrompt?: SystemPrompt;
  readonly agents?: Readonly<Record<string, unknown>>;
  /** Value by flag name; null: a flag without a value. */
  readonly extraArgs?: Readonly<Record<string, string | null>>;
}

type SystemPrompt =
  | string
  | readonly string[]
  | { readonly type: 'custom'; readonly prompt: string | readonly string[] }
  | { readonly type: 'preset'; readonly preset: string; readonly append?: string };
export type AnyOptions = QueryOptions<HooksByEvent | PublishedHooks>;

const TEXTS = {
  model: '--model',
  fallbackModel: '--fallback-model',
  agent: '--agent',
  permissionMode: '--permission-mode',
  maxTurns: '--max-turns',
  maxBudgetUsd: '--max-budget-usd',
  maxThinkingTokens: '--max-thinking-tokens',
  effort: '--effort',
  resume: '--resume',
  resumeSessionAt: '--resume-session-at',
  sessionId: '--session-id',
} as const satisfies { readonly [K in keyof QueryOptions]?: string };
const LISTS = {
  allowedTools: '--allowedTools',
  disallowedTools: '--disallowedTools',
  betas: '--betas',
} as const satisfies { readonly [K in keyof QueryOptions]?: string };
const FLAGS = {
  allowDangerouslySkipPermissions: '--allow-dangerously-skip-permissions',
  continue: '--continue',
  forkSession: '--fork-session',
  includePartialMessages: '--include-partial-messages',
  strictMcpConfig: '--strict-mcp-config',
} as const satisfies { readonly [K in keyof QueryOptions]?: string };

export function clientOptions(options: AnyOptions): ClientOptions {
  const { abortController, canUseTool, signal, requests, hooks, args = [] } = options;
  const signals = [signal, abortController?.signal].filter((one) => one !== undefined);
  const { hooks: _typed, ...rest } = options;
  return {
    ...rest,
    ...(hooks && { hooks: hooks as HooksByEvent }), // its content is validated later, whatever its type
    args: [...argumentsOf(options), ...args],
    initialize: { ...initializeOf(options), ...options.initialize },
    ...(signals.length > 0 && { signal: signals.length === 1 ? signals[0]! : AbortSignal.any(signals) }),
    ...(canUseTool && { requests: { ...permissionRequests(canUseTool), ...requests } }),
  };
}

/** Each as one argument, like the SDK: a value may begin with a dash. */
function argumentsOf(options: AnyOptions): string[] {
  const { additionalDirectories = [], mcpServers, extraArgs = {}, canUseTool } = options;
  return [
    ...named(TEXTS, options).map(({ flag, value }) => `${flag}=${String(value)}`),
    ...listsOf(options),
    ...named(FLAGS, options).flatMap(({ flag, value }) => (value === true ? [flag] : [])),
    ...(options.persistSession === false ? ['--no-session-persistence'] : []),
    ...additionalDirectories.map((folder) => `--add-dir=${folder}`),
    ...(mcpServers === undefined
      ? []
      : ['--mcp-config', JSON.stringify({ mcpServers: plainServers(mcpServers) })]),
    ...(canUseTool === undefined ? [] : ['--permission-prompt-tool=stdio']),
    ...Object.entries(extraArgs).flatMap(([name, value]) => {
      if (value === null) return [`--${name}`];
      return value === '' ? [`--${name}`, ''] : [`--${name}=${value}`]; // a flag without a value, not even an empty one
    }),
  ];
}

const named = <K extends keyof QueryOptions>(table: { readonly [P in K]?: string }, options: AnyOptions) =>
  Object.entries(table).flatMap(([key, flag]) => {
    const value = options[key as K];
    return value === undefined ? [] : [{ flag: flag as string, value: value as unknown }];
  });

function listsOf(options: AnyOptions): string[] {
  const { settingSources, tools } = options;
  return [
    ...named(LISTS, options).flatMap(({ flag, value }) => {
      const words = value as readonly string[];
      return words.length === 0 ? [] : [`${flag}=${words.join(',')}`];
    }),
    // For these two an empty list is meaningful: no sources.
    ...(settingSources === undefined ? [] : [`--setting-sources=${settingSources.join(',')}`]),
    ...(tools === undefined ? [] : ['--tools', 'type' in tools ? 'default' : tools.join(',')]),
  ];
}

/** A server inside the caller's process cannot be passed as an argument. */
const plainServers = (servers: Readonly<Record<string, unknown>>): LooseFields =>
  Object.fromEntries(
    Object.entries(servers).filter(([, server]) => isFields(server) && server['type'] !== 'sdk'),
  );

function initializeOf({ systemPrompt: said, agents }: AnyOptions): LooseFields {
  const isPreset = typeof said === 'object' && 'type' in said && said.type === 'preset';
  const own = typeof said === 'object' && 'type' in said && said.type === 'custom' ? said.prompt : said;
  const append = isPreset ? said.append : undefined;
  return {
    ...(own !== undefined && !isPreset && { systemPrompt: own }),
    ...(append !== undefined && { appendSystemPrompt: append }),
    ...(agents !== undefined && { agents }),
  };
}
