/** The main entry point. Hook modules import it too, so code that only hosts need is loaded on first use. */

import type { PublishedHooks } from './agents/claude-agent-sdk/dialect/hook-callback.ts';
import type { FoundServers, McpServerOptions } from './gather/mcp-servers.ts';
import type { Options } from './gather/options.ts';
import type { Hooks } from './library/hooks.ts';

/** Opens the hooks of all dialects for a host. Each `fire` returns one merged outcome. */
export function createHooks(options: Options): Promise<Hooks>;
/** With callbacks typed by the published Claude Agent SDK. */
export function createHooks(
  options: Omit<Options, 'hooks'> & { readonly hooks: PublishedHooks },
): Promise<Hooks>;
export async function createHooks(
  options: Omit<Options, 'hooks'> & { readonly hooks?: unknown },
): Promise<Hooks> {
  const { checkOwnPackage } = await import('./library/own-package.ts');
  checkOwnPackage(); // before the files that would fail without it
  const library = await import('./library/create-hooks.ts');
  return library.createHooks(options as Options); // the options are validated there
}

/** Finds MCP servers that an agent may start: the user's own, and those of a project that the user trusts. */
export async function findMcpServers(options: McpServerOptions): Promise<FoundServers> {
  const servers = await import('./gather/mcp-servers.ts');
  return servers.findMcpServers(options);
}

export type { Capabilities, Grade } from './events/capabilities.ts';
export { defineHook } from './events/define.ts';
export type { Definition, HookHost, HookSpec, HookReturn } from './events/define.ts';
export {
  allow,
  ask,
  cancel,
  context,
  defer,
  deny,
  give,
  halt,
  notice,
  resume,
  retry,
  set,
} from './events/effects.ts';
export type { Effect, EffectKind, EffectOf, Fields, Gift, FlowKind, Verdict } from './events/effects.ts';
export type { Event, Ids, EventInput, Scene } from './events/event.ts';
export type { SessionTotals, TokenCounts, Usage } from './events/usage.ts';
export { EVENTS } from './events/events.ts';
export type { EffectFor, EventName, Payload } from './events/events.ts';
export type { HookFailure, FailureKind } from './events/exchange.ts';
export type { Hook, Layer, OnFailure, Origin, Role } from './events/hook.ts';
export type {
  Credential,
  LoginMethod,
  LoginPrompt,
  OfferedAuth,
  OfferedCommand,
  OfferedRenderer,
  OfferedTool,
  Offers,
  ToolCallScene,
  ToolOutcome,
} from './events/offers.ts';
export type { Answer, Outcome, Run } from './events/outcome.ts';
export type { Proceed } from './events/proceed.ts';
export type { LayerRule, Policy, PolicyException } from './settings/policy.ts';
export type { Problem, ProblemCode } from './events/problems.ts';
export { ServiceMissing } from './events/services.ts';
export type { HistoryQuery, PastCall } from './events/past-calls.ts';
export type { Services, SessionInfo, SideSessions } from './events/services.ts';
export { toolPath } from './events/tool-path.ts';
export type { FirePlan } from './library/explain.ts';
export type { Hooks } from './library/hooks.ts';
export type {
  Callback,
  Callbacks,
  CallbackSpec,
  HostOptions,
  JournalOptions,
  LimitOptions,
  ModuleOptions,
  Options,
  ProgramHooks,
  SettingsOptions,
  TrustOptions,
  WatchOptions,
} from './gather/options.ts';
export type { FoundServer, FoundServers, McpServerOptions } from './gather/mcp-servers.ts';
export { ToolRefused } from './library/wrap-tool.ts';
export type { Tool, ToolCall, WrapTool } from './library/wrap-tool.ts';
export type { SettingsSource } from './settings/load.ts';
