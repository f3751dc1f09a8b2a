/**
 * What a host can do for hooks that run as code. Every part is optional: a host declares what it has. A dialect turns
 * an absent part into its documented no-op, or into an error that names the service (`ServiceMissing`).
 */
import type { Fields } from './effects.ts';
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
}
/** One conversation of the host. */
export interface SessionInfo {
  readonly id: string;
  readonly title: string;
  /** Beside which session it was opened. */
  readonly parent?: string;
  readonly isIdle: boolean;
}
/** Conversations beside the person's: a hook opens one, prompts it and reads it, and the person's turn goes on untouched. */
export interface SideSessions {
  open(how: { readonly title?: string; readonly parent?: string }): Promise<SessionInfo>;
  /** The person's own first. */
  list(): Promise<readonly SessionInfo[]>;
  entries(id: string): Promise<readonly unknown[]>;
  /** Resolves when it is idle again; rejects when it did not get to an answer. `reply: false` only adds the prompt. */
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
/** What a tool wants to do while it runs. */
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
  /** The model that answers now, and all that could; plain values. */
  readonly model?: { current(): unknown; all?(): readonly unknown[] };
  /** The settings as they stand, after every hook that may change them. */
  readonly config?: () => Promise<Fields> | Fields;
  readonly exec?: Exec;
  /** Asks hooks about it; `ask` leaves it to the person. `createHooks` has one of its own. */
  readonly permit?: (
    request: PermitRequest,
    signal?: AbortSignal,
  ) => Promise<{ readonly proceed: Proceed; readonly reason?: string }>;
  /**
   * Judges a text with a model: prompt hooks. Answers what the model said. `looks`: it is to have tools that read the
   * project, and calls of these are judged by hooks like any other; a host without such tools judges without.
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
/** What a hook of ours may always call: the host's service, or the no-op that the reference pages promise. */
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
