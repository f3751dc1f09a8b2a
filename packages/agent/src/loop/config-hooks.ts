/**
 * Applies the changes that `config.loaded` hooks made to the settings. Invalid values are reported and ignored, and
 * unknown keys are kept for other hooks. A project hook can only make the agent stricter.
 */

import { isDeepStrictEqual } from 'node:util';
import type { Fields, FoundServer } from 'anyhook';
import { isFields } from '../hooks/outcomes.ts';
import { readRule } from './rules.ts';
import { laid, readPart, type Settings, type SettingsFile, tightenedBy } from './settings.ts';

/** A named prompt: `/name`. */
export interface NamedPrompt {
  readonly name: string;
  readonly description: string;
  readonly template: string;
}
/** An agent type for the `task` tool. */
export interface NamedAgent {
  readonly name: string;
  readonly description: string;
  /** Replaces the system prompt of the agent. */
  readonly prompt?: string;
}
export interface HookedConfig {
  readonly settings: Settings;
  /** The whole configuration, including keys that only hooks know. */
  readonly config: Fields;
  readonly commands: readonly NamedPrompt[];
  readonly agents: readonly NamedAgent[];
  readonly servers: readonly FoundServer[];
  readonly instructions: readonly string[];
  readonly notices: readonly string[];
}
export interface ConfigChange {
  /** The hook that made the change. */
  readonly by: string;
  readonly at: string;
}

export function configFrom(
  base: Settings,
  document: unknown,
  changes: readonly ConfigChange[],
  isOfProject: (hook: string) => boolean,
): HookedConfig {
  const config: Fields = isFields(document) ? document : { ...base };
  const notices: string[] = [];
  let settings = base;
  for (const key of Object.keys(OWN_KEYS) as (keyof SettingsFile)[]) {
    if (isDeepStrictEqual(config[key], (base as unknown as Fields)[key])) continue;
    const by = changes
      .filter(({ at }) => at === 'config' || at === `config.${key}`)
      .map((change) => change.by);
    const hook = by.at(-1) ?? 'a hook';
    const read = readPart(key, ownValue(key, config[key], base));
    if ('fault' in read) {
      notices.push(`${hook}: '${key}' is not used: ${read.fault}`);
      // The invalid value may have been a refusal, so calls without a rule need permission.
      if (key === 'permission')
        ({ tightened: settings } = tightenedBy(settings, { permission: { mode: 'ask' } }, hook));
    } else if (by.some(isOfProject)) {
      const { tightened, notices: refused } = tightenedBy(settings, asFile(key, read.value), hook);
      settings = tightened;
      notices.push(...refused);
    } else settings = laid(settings, asFile(key, read.value));
  }
  const named = (key: string) => Object.entries(isFields(config[key]) ? config[key] : {}).filter(isNamed);
  return {
    settings,
    config: { ...config, ...settings },
    commands: named('command').flatMap(([name, one]) =>
      typeof one['template'] === 'string'
        ? [{ name, template: one['template'], description: textOrEmpty(one['description']) }]
        : [],
    ),
    agents: named('agent').flatMap(([name, one]) =>
      one['disable'] === true || one['mode'] === 'primary'
        ? []
        : [
            {
              name,
              description: textOrEmpty(one['description']),
              ...(typeof one['prompt'] === 'string' && { prompt: one['prompt'] }),
            },
          ],
    ),
    servers: named('mcp').flatMap(([name, one]) => serverFrom(name, one)),
    instructions: listOf(config['instructions']),
    notices,
  };
}

/** The compiler checks that every setting is listed. */
const OWN_KEYS: Readonly<Record<keyof Settings, true>> = {
  model: true,
  hookModel: true,
  smallModel: true,
  permission: true,
  streamRules: true,
  compaction: true,
  retry: true,
  judge: true,
  maxTurns: true,
  markChanges: true,
};
const asFile = (key: keyof SettingsFile, value: unknown): SettingsFile => ({ [key]: value });
const isNamed = (entry: [string, unknown]): entry is [string, Fields] => isFields(entry[1]);
const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** Translates the settings of other agents into ours. */
function ownValue(key: keyof SettingsFile, value: unknown, base: Settings): unknown {
  if (key === 'permission') return permissionFrom(value, base);
  const isModel = key === 'model' || key === 'hookModel' || key === 'smallModel';
  return isModel && typeof value === 'string' && !value.includes(':') ? value.replace('/', ':') : value;
}

/** OpenCode tool names in permissions. A rule for edit also applies to write. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  bash: ['shell'],
  edit: ['edit', 'write', 'multi-edit'],
  webfetch: ['fetch'],
  multiedit: ['multi-edit'],
  todowrite: ['todo'],
};

/**
 * Accepts our form (`mode`, `allow`, `ask`, `deny`) and the form of OpenCode: `{ bash: { 'rm *': 'deny' }, edit: 'ask'
 * }`.
 */
function permissionFrom(value: unknown, { permission: base }: Settings): unknown {
  if (typeof value === 'string') return { ...base, mode: value };
  if (!isFields(value)) return value;
  const { mode = base.mode, allow = base.allow, ask = base.ask, deny = base.deny, ...theirs } = value;
  const rules = Object.entries(theirs).flatMap(([tool, how]) =>
    Object.entries(isFields(how) ? how : { '*': how }).flatMap(([pattern, action]) =>
      (TOOLS[tool] ?? [tool]).map((name) => ({
        action,
        rule: pattern === '*' ? name : `${name}(${pattern})`,
      })),
    ),
  );
  const added = (action: string) =>
    rules.filter((one) => one.action === action && isRule(one.rule)).map(({ rule }) => rule);
  const withAdded = (list: unknown, action: string): unknown =>
    Array.isArray(list) ? [...new Set([...(list as unknown[]), ...added(action)])] : list;
  return {
    mode,
    allow: withAdded(allow, 'allow'),
    ask: withAdded(ask, 'ask'),
    deny: withAdded(deny, 'deny'),
  };
}

function isRule(text: string): boolean {
  try {
    return readRule(text) !== undefined;
  } catch {
    return false;
  }
}

function serverFrom(name: string, definition: Fields): FoundServer[] {
  const file = `config.mcp.${name}`;
  const { enabled, url, command, environment, headers } = definition;
  if (enabled === false) return [];
  if (typeof url === 'string') return [{ name, file, server: { url, ...(isTexts(headers) && { headers }) } }];
  const [program, ...args] = listOf(command);
  if (program === undefined) return [];
  return [
    { name, file, server: { command: program, args, ...(isTexts(environment) && { env: environment }) } },
  ];
}
const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  isFields(value) && Object.values(value).every((text) => typeof text === 'string');
