import type { HookMessage } from './agent-events.ts';
import type { HookLogger, HookMessageRenderer, RegisteredCommand, SendMessageOptions } from './api.ts';
import type { HookContext } from './context.ts';

/** A handler as it is kept: which event it was for is said by where it stands. */
export type StoredHandler = (event: never, ctx: HookContext) => unknown;
export type SendMessageHandler = (message: HookMessage, options?: SendMessageOptions) => void;
export type AppendEntryHandler = (customType: string, data?: unknown) => void;

/** A module brought to life. */
export interface LoadedHook {
  /** As it was given. */
  path: string;
  resolvedPath: string;
  handlers: Map<string, StoredHandler[]>;
  messageRenderers: Map<string, HookMessageRenderer>;
  commands: Map<string, RegisteredCommand>;
  setSendMessageHandler(handler: SendMessageHandler): void;
  setAppendEntryHandler(handler: AppendEntryHandler): void;
  /** Where `pi.logger` goes and where `pi.exec` runs; bound by the runner. */
  setHost?(host: { readonly cwd: string; readonly logger: HookLogger }): void;
}
export interface HookLoadError {
  path: string;
  error: string;
}
export interface LoadHooksResult {
  hooks: LoadedHook[];
  /** One for each module that did not load. */
  errors: HookLoadError[];
  /** What loaded but will not do all that its author meant, and files that were passed over. */
  warnings: HookLoadError[];
}
/** Something a handler did wrong; the others went on. */
export interface HookError {
  hookPath: string;
  event: string;
  error: string;
}
export type HookErrorListener = (error: HookError) => void;
