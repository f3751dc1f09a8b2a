/** Reads the value that a plugin returned, once and defensively: getters may throw, and names may be misspelt. */

import { isFields } from '../../../events/fields.ts';
import { nearest } from '../../../events/problems.ts';
import { describeThrown } from '../../../runners/module/thrown.mjs';
import { CALL_NAMES, HOOK_NAMES, isHookName } from './hook-names.ts';
import type { AnyToolDefinition, AuthHook, Hooks, ProviderHook } from './types/index.ts';

export type PluginHookCall = (...args: unknown[]) => unknown;

export interface HooksRead {
  readonly calls: ReadonlyMap<keyof Hooks, PluginHookCall>;
  readonly tools: ReadonlyMap<string, AnyToolDefinition>;
  readonly auth?: AuthHook;
  readonly provider?: ProviderHook;
  readonly faults: readonly HooksFault[];
}
export interface HooksFault {
  readonly code: 'unknown-key' | 'wrong-type' | 'not-loaded';
  readonly key: string;
  readonly message: string;
}

/** Undefined if the value is not an object of hooks. */
export function pluginHooksIn(returned: unknown): HooksRead | undefined {
  if (typeof returned !== 'object' || returned === null || Array.isArray(returned)) return undefined;
  const faults: HooksFault[] = keysOf(returned)
    .filter((key) => !isHookName(key))
    .map(unknown);
  const read = (key: keyof Hooks): unknown => {
    const found = peek(returned, key);
    if ('value' in found) return found.value ?? undefined;
    faults.push({ code: 'not-loaded', key, message: `it cannot be read: ${found.fault}` });
    return undefined;
  };
  const calls = new Map<keyof Hooks, PluginHookCall>();
  for (const key of CALL_NAMES) {
    const value = read(key);
    if (typeof value === 'function')
      calls.set(key, (...args) => Reflect.apply(value, returned, withEveryField(key, args)));
    else if (value !== undefined) faults.push(wrong(key, 'a function', value));
  }
  const tools = toolsIn(read('tool'), faults);
  const auth = authIn(read('auth'), faults);
  const provider = providerIn(read('provider'), faults);
  return { calls, tools, ...(auth && { auth }), ...(provider && { provider }), faults };
}

/**
 * Fields that OpenCode always adds to `output`, even without a value. JSON does not transfer `undefined` to the process
 * of a plugin, so they are added where the plugin is called.
 */
const OUTPUT_FIELDS: { readonly [K in keyof Hooks]?: readonly string[] } = {
  'chat.params': ['temperature', 'topP', 'topK', 'maxOutputTokens', 'options'],
  'experimental.session.compacting': ['prompt'],
};

function withEveryField(key: keyof Hooks, args: unknown[]): unknown[] {
  const output = args[1];
  if (isFields(output) && Object.isExtensible(output))
    for (const field of OUTPUT_FIELDS[key] ?? [])
      if (!(field in output)) Object.assign(output, { [field]: undefined });
  return args;
}

function toolsIn(value: unknown, faults: HooksFault[]): Map<string, AnyToolDefinition> {
  const tools = new Map<string, AnyToolDefinition>();
  if (value === undefined) return tools;
  if (!isFields(value)) faults.push(wrong('tool', 'a map of tools', value));
  else
    for (const name of keysOf(value)) {
      const found = peek(value, name);
      const tool = 'value' in found ? toolIn(found.value) : found.fault;
      if (typeof tool === 'string') faults.push({ code: 'wrong-type', key: `tool.${name}`, message: tool });
      else tools.set(name, tool);
    }
  return tools;
}

/** Returns the definition, or what is wrong with it. */
function toolIn(value: unknown): AnyToolDefinition | string {
  if (!isFields(value)) return `a tool is an object, not ${kindOf(value)}`;
  const parts = ['description', 'args', 'execute'].map((key) => peek(value, key));
  const bad = parts.find((part) => 'fault' in part);
  if (bad !== undefined && 'fault' in bad) return `it cannot be read: ${bad.fault}`;
  const [description, args, execute] = parts.map((part) => ('value' in part ? part.value : undefined));
  if (typeof execute !== 'function') return `its execute is a function, not ${kindOf(execute)}`;
  if (description !== undefined && typeof description !== 'string')
    return `its description is a text, not ${kindOf(description)}`;
  if (args !== undefined && !isFields(args)) return `its args are a map of zod fields, not ${kindOf(args)}`;
  return {
    description: description ?? '',
    args: args ?? {},
    // Called as a method of its definition.
    execute: (input, context) =>
      Reflect.apply(execute, value, [input, context]) as ReturnType<AnyToolDefinition['execute']>,
  };
}

function authIn(value: unknown, faults: HooksFault[]): AuthHook | undefined {
  if (value === undefined) return undefined;
  const provider = isFields(value) ? peek(value, 'provider') : undefined;
  const methods = isFields(value) ? peek(value, 'methods') : undefined;
  const isSound =
    provider !== undefined &&
    'value' in provider &&
    typeof provider.value === 'string' &&
    provider.value !== '' &&
    methods !== undefined &&
    'value' in methods &&
    Array.isArray(methods.value);
  if (isSound) return value as AuthHook; // its methods are read when it is offered
  faults.push({
    code: 'wrong-type',
    key: 'auth',
    message: 'it needs the provider it is for, and a list of methods',
  });
  return undefined;
}

function providerIn(value: unknown, faults: HooksFault[]): ProviderHook | undefined {
  if (value === undefined) return undefined;
  const id = isFields(value) ? peek(value, 'id') : undefined;
  if (id !== undefined && 'value' in id && typeof id.value === 'string') return value as ProviderHook;
  faults.push({ code: 'wrong-type', key: 'provider', message: 'it needs the id of the provider it is for' });
  return undefined;
}

function unknown(key: string): HooksFault {
  const near = nearest(key, HOOK_NAMES);
  const hint = near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`;
  return { code: 'unknown-key', key, message: `unknown hook ${JSON.stringify(key)}${hint}` };
}

const wrong = (key: string, wanted: string, value: unknown): HooksFault => ({
  code: 'wrong-type',
  key,
  message: `it is ${wanted}, not ${kindOf(value)}`,
});
const kindOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : value === undefined
        ? 'nothing'
        : `a ${typeof value}`;

type PropertyRead = { readonly value: unknown } | { readonly fault: string };

/** Reads one property of a plugin's object. Its getter or proxy may throw. */
function peek(home: object, key: PropertyKey): PropertyRead {
  try {
    return { value: (home as Record<PropertyKey, unknown>)[key] };
  } catch (error) {
    return { fault: describeThrown(error).message };
  }
}

/** Empty if even listing the keys throws. */
function keysOf(home: object): readonly string[] {
  try {
    return Object.keys(home);
  } catch {
    return [];
  }
}
