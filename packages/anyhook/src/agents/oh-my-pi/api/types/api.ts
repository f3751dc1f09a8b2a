import type * as Zod from 'zod';
import type { HookMessage } from './agent-events.ts';
import type { CustomMessage } from './content.ts';
import type { HookCommandContext, HookContext } from './context.ts';
import type { HookEventName, HookEventOf, HookResultOf } from './events.ts';
import type { ExecOptions, ExecResult } from './exec.ts';
import type { Component, Theme } from './ui.ts';

export type HookHandler<E, R = undefined> = (event: E, ctx: HookContext) => Promise<R | void> | R | void;

export interface RegisteredCommand {
  name: string;
  description?: string;
  handler: (args: string, ctx: HookCommandContext) => Promise<void> | void;
}
export interface HookMessageRenderOptions {
  expanded: boolean;
}
/** Undefined: the host draws the message in its own way. */
export type HookMessageRenderer<T = unknown> = (
  message: CustomMessage<T>,
  options: HookMessageRenderOptions,
  theme: Theme,
) => Component | undefined;
export interface SendMessageOptions {
  triggerTurn?: boolean;
  deliverAs?: 'steer' | 'followUp' | 'nextTurn';
}
export interface HookLogger {
  debug(message: string, details?: Record<string, unknown>): void;
  info(message: string, details?: Record<string, unknown>): void;
  warn(message: string, details?: Record<string, unknown>): void;
  error(message: string, details?: Record<string, unknown>): void;
}

/** The argument of a hook module's factory. */
export interface HookAPI {
  /** Returns a function that removes the handler. */
  on<N extends HookEventName>(event: N, handler: HookHandler<HookEventOf<N>, HookResultOf<N>>): () => void;
  /** Stored in the session and sent to the model. */
  sendMessage<T = unknown>(message: HookMessage<T>, options?: SendMessageOptions): void;
  /** Stored in the session, not sent to the model. */
  appendEntry<T = unknown>(customType: string, data?: T): void;
  registerMessageRenderer<T = unknown>(customType: string, renderer: HookMessageRenderer<T>): void;
  registerCommand(
    name: string,
    options: { description?: string; handler: RegisteredCommand['handler'] },
  ): void;
  /** Without a shell; default folder: the runner's. */
  exec(command: string, args: string[], options?: ExecOptions): Promise<ExecResult>;
  readonly logger: HookLogger;
  /** The events that fire here. */
  readonly supportedEvents: readonly HookEventName[];
  readonly zod: typeof Zod;
}
export type HookFactory = (pi: HookAPI) => void | Promise<void>;
