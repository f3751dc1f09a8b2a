/**
 * Services that a host can offer to hooks that run as code. All are optional. A dialect replaces a missing
 * service by its documented no-op, or by an error that names it (`ServiceMissing`).
 */

import type { Fields } from './effects.ts';
import type { HistoryQuery, PastCall, ReadHistory } from './past-calls.ts';
import type { Proceed } from './proceed.ts';

export interface Dialogs {
  select(title: string, options: readonly string[], signal?: AbortSignal): Promise<string | undefined>;
  confirm(title: string, message: string, signal?: AbortSignal): Promise<boolean>;
  input(title: string, placeholder?: string, signal?: AbortSignal): Promise<string | undefined>;
  editor?(title: string, prefill?: string, signal?: AbortSignal): Promise<string | undefined>;
  custom?(factory: unknown, signal?: AbortSignal): Promise<unknown>;
  notify(message: string, level?: 'info' | 'warning' | 'error'): void;
  status?(key: string, text: string | undefined): void;
  setEditorText?(text: string): void;
  getEditorText?(): string;
  readonly theme?: unknown;
}
export interface Sessions {
  entries(): readonly unknown[];
  view?(): unknown;
  act?(what: 'new' | 'branch' | 'navigate', how: Fields): Promise<{ readonly cancelled: boolean }>;
  isIdle?(): boolean;
  waitForIdle?(): Promise<void>;
  abort?(): void;
  hasQueued?(): boolean;
  /**
   * Returns earlier calls of the session of this event, oldest first. Rejects if the history is missing or
   * damaged. `createHooks` provides it to our own hooks.
   */
  history?(query?: HistoryQuery): Promise<readonly PastCall[]>;
}
/** One conversation of the host. */
export interface SessionInfo {
  readonly id: string;
  readonly title: string;
  /** The session from which this one was opened. */
  readonly parent?: string;
  readonly isIdle: boolean;
}
/**
 * Conversations besides the user's own. A hook opens, prompts and reads one without affecting the user's
 * turn.
 */
export interface SideSessions {
  open(how: { readonly title?: string; readonly parent?: string }): Promise<SessionInfo>;
  /** Starts with the user's own session. */
  list(): Promise<readonly SessionInfo[]>;
  entries(id: string): Promise<readonly unknown[]>;
  /**
   * Resolves when the session is idle again. Rejects if there was no answer. `reply: false` only adds the
   * prompt.
   */
  prompt(
    id: string,
    prompt: {
      readonly text: string;
      readonly agent?: string;
      readonly system?: string;
      readonly reply?: boolean;
    },
  ): Promise<void>;
  abort(id: string): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  remove(id: string): Promise<void>;
}
export interface Messages {
  send(message: Fields, how?: { readonly trigger?: boolean; readonly as?: string }): void;
  append?(type: string, data: unknown): void;
}
export interface Exec {
  (
    command: string,
    args: readonly string[],
    options?: { readonly cwd?: string; readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<{
    readonly stdout: string;
    readonly stderr: string;
    readonly code: number;
    readonly killed: boolean;
  }>;
}
/** An action for which a running tool needs permission. */
export interface PermitRequest {
  readonly permission: string;
  readonly patterns: readonly string[];
  readonly metadata: Fields;
  readonly session: string;
  readonly call?: string;
}
export interface Log {
  (level: 'debug' | 'info' | 'warn' | 'error', message: string, details?: Fields): void;
}

export interface Services {
  readonly ui?: Dialogs;
  readonly session?: Sessions;
  readonly sessions?: SideSessions;
  readonly messages?: Messages;
  readonly commands?: { register(name: string, command: unknown): void };
  readonly tools?: {
    register(name: string, tool: unknown): void;
    call?(name: string, input: Fields, signal: AbortSignal): Promise<unknown>;
  };
  readonly log?: Log;
  /** The current model, and all available ones, as plain values. */
  readonly model?: { current(): unknown; all?(): readonly unknown[] };
  /** The current settings, after every hook that may change them. */
  readonly config?: () => Promise<Fields> | Fields;
  readonly exec?: Exec;
  /** The history of any session of the project. `createHooks` provides its own. */
  readonly history?: ReadHistory;
  /** Runs hooks on the request; `ask` leaves the decision to the user. `createHooks` provides its own. */
  readonly permit?: (
    request: PermitRequest,
    signal?: AbortSignal,
  ) => Promise<{ readonly proceed: Proceed; readonly reason?: string }>;
  /**
   * Judges a text with a model, for prompt hooks. Returns the model's answer. `looks`: the model gets tools
   * that read the project, and hooks judge their calls like any other. A host without such tools judges
   * without them.
   */
  readonly judge?: (
    prompt: string,
    how: { readonly model?: string; readonly looks?: true; readonly signal: AbortSignal },
  ) => Promise<string>;
}
export type ServiceName = keyof Services;

export class ServiceMissing extends Error {
  readonly service: ServiceName;
  constructor(service: ServiceName, wanted: string) {
    super(`${wanted} needs the host service '${service}', which this host does not offer`);
    this.name = 'ServiceMissing';
    this.service = service;
  }
}

const NO_UI: Dialogs = {
  select: async () => undefined,
  confirm: async () => false,
  input: async () => undefined,
  editor: async () => undefined,
  custom: async () => undefined,
  notify() {},
  status() {},
  setEditorText() {},
  getEditorText: () => '',
};
/** Fills in what one of our hooks may always use: the host's service, or the documented no-op. */
export function withDefaults(
  services: Services,
  exec: Exec,
): Required<Pick<Services, 'ui' | 'log' | 'exec'>> & Services {
  return {
    ...services,
    ui: services.ui ?? NO_UI,
    log: services.log ?? (() => {}),
    exec: services.exec ?? exec,
  };
}
