import type { Services } from '../../../../events/services.ts';
import type { HookMessage } from './agent-events.ts';
import type { HookLogger, HookMessageRenderer, RegisteredCommand, SendMessageOptions } from './api.ts';
import type { Content } from './content.ts';
import type { HookContext } from './context.ts';

/** A stored handler. Its key in the map is its event. */
export type StoredHandler = (event: never, ctx: HookContext) => unknown;
export type SendMessageHandler = (message: HookMessage, options?: SendMessageOptions) => void;
export type AppendEntryHandler = (customType: string, data?: unknown) => void;

/** A tool for the model, registered by an extension. */
export interface RegisteredTool {
  name: string;
  label?: string;
  description?: string;
  /** typebox, zod or plain JSON Schema. */
  parameters?: object;
  execute(
    toolCallId: string,
    params: never,
    signal?: AbortSignal,
    onUpdate?: (update: ToolUpdate) => void,
    ctx?: HookContext,
  ): Promise<ToolUpdate> | ToolUpdate;
}
export interface ToolUpdate {
  content?: readonly Content[];
  details?: unknown;
  isError?: boolean;
}
export interface RegisteredFlag {
  name: string;
  description?: string;
  type?: 'boolean' | 'string';
  default?: boolean | string;
}

/** A loaded module. */
export interface LoadedHook {
  /** The path as given. */
  path: string;
  resolvedPath: string;
  handlers: Map<string, StoredHandler[]>;
  messageRenderers: Map<string, HookMessageRenderer>;
  commands: Map<string, RegisteredCommand>;
  /** Further registrations of extensions. */
  tools: Map<string, RegisteredTool>;
  flags: Map<string, RegisteredFlag>;
  /** By key. No host here binds keys, so they are never called. */
  shortcuts: Map<string, { description?: string }>;
  /** By name. No host here uses providers of a module. */
  providers: Set<string>;
  /** Written for the extension API: changes in place to the `input` of a `tool_call` reach the tool. */
  isExtension?: boolean;
  setSendMessageHandler(handler: SendMessageHandler): void;
  setAppendEntryHandler(handler: AppendEntryHandler): void;
  /** The target of `pi.logger` and the folder of `pi.exec`, set by the runner. */
  setHost?(host: { readonly cwd: string; readonly logger: HookLogger; readonly services?: Services }): void;
  /** Kills the process of an isolated module. Not needed for the program to exit. */
  close?(): void;
}
export interface HookLoadError {
  path: string;
  error: string;
  /** The line in the file, if known. */
  line?: number;
  column?: number;
}
export interface LoadHooksResult {
  hooks: LoadedHook[];
  /** One for each module that did not load. */
  errors: HookLoadError[];
  /** Modules that loaded but will not work completely, and skipped files. */
  warnings: HookLoadError[];
}
/** An error of a handler; the others continued. */
export interface HookError {
  hookPath: string;
  event: string;
  error: string;
}
export type HookErrorListener = (error: HookError) => void;
