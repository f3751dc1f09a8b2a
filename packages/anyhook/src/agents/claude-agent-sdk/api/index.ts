/** Callbacks of the Claude Agent SDK: run here, connected to a real CLI, or called in another process. */
export { blockBashCommandHook, blockBashPatternHook } from './block-bash.ts';
export { Client, type ClientOptions, type Message, type UserMessage } from './client.ts';
export type { CodecName } from './codec.ts';
export {
  CliExitedError,
  CliNotFoundError,
  HooksUnsupportedError,
  ProtocolError,
} from './connection-errors.ts';
export {
  HookCancelledError,
  HookError,
  type HookErrorCode,
  HookPanicError,
  HookTimeoutError,
  InvalidHookOutputError,
  UnknownCallbackError,
} from './errors.ts';
export type { Logger } from './log.ts';
export { CallbackPeer, type CallOptions, type PeerOptions } from './peer.ts';
export { ProtocolHandler, type ProtocolOptions } from './protocol.ts';
export type { CanUseTool, PermissionAnswer, PermissionAsked } from './can-use-tool.ts';
export { query, type Query } from './query.ts';
export type { QueryOptions } from './query-options.ts';
export { HookService } from './service.ts';
export type { ExecuteOptions, LateResult, ServiceOptions } from './types.ts';
export type {
  HookCallback,
  HookContext,
  HookMatcher,
  HooksByEvent,
  PublishedHooks,
} from '../dialect/hook-callback.ts';
export { HOOK_EVENTS, HookEvent } from '../dialect/hook-event.ts';
export type { BaseHookInput, HookInput, HookInputs } from '../dialect/hook-input.ts';
export type {
  AsyncHookJSONOutput,
  HookJSONOutput,
  HookSpecificOutput,
  SyncHookJSONOutput,
} from '../dialect/hook-output.ts';
