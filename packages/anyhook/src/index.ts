/** The front door. Hook modules come through it too, so what only a host needs is loaded when a host asks for it. */
import type { FoundServers, McpServerOptions } from './assembly/mcp-servers.ts';
import type { Hooks } from './hosts/library/hooks.ts';
import type { Options } from './assembly/options.ts';
import type { PublishedHooks } from './dialects/claude-agent-sdk/hook-callback.ts';

/** Hooks from everywhere, one `fire`, one outcome: the door for agent authors. */
export function createHooks(options: Options): Promise<Hooks>;
/** With callbacks typed by the published Claude Agent SDK. */
export function createHooks(
  options: Omit<Options, 'hooks'> & { readonly hooks: PublishedHooks },
): Promise<Hooks>;
export async function createHooks(
  options: Omit<Options, 'hooks'> & { readonly hooks?: unknown },
): Promise<Hooks> {
  const { checkOwnPackage } = await import('./hosts/library/own-package.ts');
  checkOwnPackage(); // before the files that would fail without it
  const library = await import('./hosts/library/create-hooks.ts');
  return library.createHooks(options as Options); // what is in it is read with care, whoever typed it
}

/** Servers of the Model Context Protocol that an agent may start: the person's own, and what they trust of a project's. */
export async function findMcpServers(options: McpServerOptions): Promise<FoundServers> {
  const servers = await import('./assembly/mcp-servers.ts');
  return servers.findMcpServers(options);
}

export type { Capabilities, Grade } from './canon/capabilities.ts';
export { defineHook } from './canon/define.ts';
export type { Definition, HookHost, HookSpec, HookReturn } from './canon/define.ts';
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
} from './canon/effects.ts';
export type { Effect, EffectKind, EffectOf, Fields, Gift, FlowKind, Verdict } from './canon/effects.ts';
export type { Event, Ids, EventInput, Scene } from './canon/event.ts';
export { EVENTS } from './canon/events.ts';
export type { EffectFor, EventName, Payload } from './canon/events.ts';
export type { HookFailure, FailureKind } from './canon/exchange.ts';
export type { Hook, Layer, OnFailure, Origin, Role } from './canon/hook.ts';
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
} from './canon/offers.ts';
export type { Answer, Outcome, Run } from './canon/outcome.ts';
export type { Proceed } from './canon/proceed.ts';
export type { LayerRule, Policy, PolicyException } from './settings/policy.ts';
export type { Problem, ProblemCode } from './canon/problems.ts';
export { ServiceMissing } from './canon/services.ts';
export type { Services, SessionInfo, SideSessions } from './canon/services.ts';
export { toolPath } from './canon/tool-path.ts';
export type { FirePlan } from './hosts/library/explain.ts';
export type { Hooks } from './hosts/library/hooks.ts';
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
} from './assembly/options.ts';
export type { FoundServer, FoundServers, McpServerOptions } from './assembly/mcp-servers.ts';
export { ToolRefused } from './hosts/library/wrap-tool.ts';
export type { Tool, ToolCall, WrapTool } from './hosts/library/wrap-tool.ts';
export type { SettingsSource } from './settings/load.ts';
