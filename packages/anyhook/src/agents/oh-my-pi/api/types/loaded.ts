import type { Services } from '../../../../events/services.ts';
import type { HookMessage } from './agent-events.ts';
import type { HookLogger, HookMessageRenderer, RegisteredCommand, SendMessageOptions } from './api.ts';
import type { Content } from './content.ts';
import type { HookContext } from './context.ts';

/** A handler as it is kept: which event it was for is said by where it stands. */
export type StoredHandler = (event: never, ctx: HookContext) => unknown;
export type SendMessageHandler = (message: HookMessage, options?: SendMessageOptions) => void;
export type AppendEntryHandler = (customType: string, data?: unknown) => void;

/** A tool for the model, as extensions of this family register one. */
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
  /** As it was given. */
  path: string;
  resolvedPath: string;
  handlers: Map<string, StoredHandler[]>;
  messageRenderers: Map<string, HookMessageRenderer>;
  commands: Map<string, RegisteredCommand>;
  /** What extensions register beside. */
  tools: Map<string, RegisteredTool>;
  flags: Map<string, RegisteredFlag>;
  /** By the key: no host here binds one, so nobody presses it. */
  shortcuts: Map<string, { description?: string }>;
  /** By name: no host here takes a provider from a module. */
  providers: Set<string>;
  /** Written for the extension API: what it changes in the `input` of a `tool_call` in place reaches the tool. */
  isExtension?: boolean;
  setSendMessageHandler(handler: SendMessageHandler): void;
  setAppendEntryHandler(handler: AppendEntryHandler): void;
  /** Where `pi.logger` goes and where `pi.exec` runs; bound by the runner. */
  setHost?(host: { readonly cwd: string; readonly logger: HookLogger; readonly services?: Services }): void;
  /** Ends the process of a module that has one of its own; not needed for the program to end. */
  close?(): void;
}
export interface HookLoadError {
  path: string;
  error: string;
  /** Where in the file, as far as it is known. */
  line?: number;
  column?: number;
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
