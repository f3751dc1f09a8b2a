/**
 * What modules provide besides hooks: tools for the model, commands and renderers for the user, login
 * methods. Everything can cross process boundaries: values are plain and functions are asynchronous.
 */

import type { Fields } from './effects.ts';
import type { Origin } from './hook.ts';

/** Context of a tool call. */
export interface ToolCallScene {
  readonly session: string;
  readonly message?: string;
  readonly agent?: string;
  readonly call?: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Reports title and metadata while the tool runs. */
  readonly progress?: (update: { readonly title?: string; readonly metadata?: Fields }) => void;
}
export interface ToolOutcome {
  readonly output: string;
  readonly title?: string;
  readonly metadata?: Fields;
}
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly parameters: Fields;
  readonly origin: Origin;
  /** Validates the input first. Rejects with a message for the model. */
  execute(input: Fields, scene: ToolCallScene): Promise<ToolOutcome>;
}

export interface OfferedCommand {
  readonly name: string;
  readonly description?: string;
  readonly origin: Origin;
  /** `args`: everything after the name. */
  run(args: string, signal?: AbortSignal): Promise<void>;
}

/** Renders messages of one type. */
export interface OfferedRenderer {
  readonly type: string;
  readonly origin: Origin;
  /** Returns coloured lines of that width, or undefined if the host should render the message itself. */
  render(
    message: Fields,
    how: { readonly width: number; readonly expanded: boolean },
  ): Promise<readonly string[] | undefined>;
}

/** A question of a login. `when` has been evaluated against the answers so far. */
export type LoginPrompt =
  | {
      readonly kind: 'text';
      readonly key: string;
      readonly message: string;
      readonly placeholder?: string;
      /** Returns an error message, or undefined if the answer is valid. */
      validate(value: string): Promise<string | undefined>;
      isAsked(answers: Readonly<Record<string, string>>): Promise<boolean>;
    }
  | {
      readonly kind: 'select';
      readonly key: string;
      readonly message: string;
      readonly options: readonly { readonly label: string; readonly value: string; readonly hint?: string }[];
      isAsked(answers: Readonly<Record<string, string>>): Promise<boolean>;
    };

/** The result of a login, to be stored outside of every project. */
export type Credential =
  | { readonly type: 'api'; readonly key: string; readonly metadata?: Readonly<Record<string, string>> }
  | {
      readonly type: 'oauth';
      readonly refresh: string;
      readonly access: string;
      readonly expires: number;
      readonly accountId?: string;
      readonly enterpriseUrl?: string;
    }
  | { readonly type: 'wellknown'; readonly key: string; readonly token: string };

export interface LoginDone {
  /** The provider, if it differs from the requested one. */
  readonly provider?: string;
  readonly credential: Credential;
}
/** An OAuth login in progress: the user opens `url`. */
export interface LoginStarted {
  readonly url: string;
  readonly instructions: string;
  /** auto: wait for it; code: the user enters a code. */
  readonly way: 'auto' | 'code';
  finish(code?: string): Promise<LoginDone | undefined>;
}
export interface LoginMethod {
  readonly kind: 'api' | 'oauth';
  readonly label: string;
  readonly prompts: readonly LoginPrompt[];
  /** For oauth. */
  start?(answers: Readonly<Record<string, string>>): Promise<LoginStarted>;
  /** For api. Without it, the key that the user typed is the credential. */
  accept?(answers: Readonly<Record<string, string>>): Promise<LoginDone | undefined>;
}
export interface OfferedAuth {
  readonly provider: string;
  readonly origin: Origin;
  readonly methods: readonly LoginMethod[];
  /**
   * Returns options for the provider's client, made from the stored credential. A `fetch` option is called
   * for every request.
   */
  load?(
    credential: () => Promise<Credential | undefined>,
    provider: Fields,
  ): Promise<Readonly<Record<string, unknown>>>;
}

export interface Offers {
  readonly tools: readonly OfferedTool[];
  readonly commands: readonly OfferedCommand[];
  readonly renderers: readonly OfferedRenderer[];
  readonly auth: readonly OfferedAuth[];
}
export const NO_OFFERS: Offers = { tools: [], commands: [], renderers: [], auth: [] };
