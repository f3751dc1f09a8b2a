/**
 * What modules bring besides hooks, in a host's terms: tools for the model, commands and renderers for the person,
 * ways to log in. Everything here can cross between processes: values are plain, functions are asynchronous.
 */
import type { Fields } from './effects.ts';
import type { Origin } from './hook.ts';

/** What a tool may know about the call it serves. */
export interface ToolCallScene {
  readonly session: string;
  readonly message?: string;
  readonly agent?: string;
  readonly call?: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Title and metadata while it still runs. */
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
  /** Validates the input first; rejects with what is wrong, for the model to read. */
  execute(input: Fields, scene: ToolCallScene): Promise<ToolOutcome>;
}

export interface OfferedCommand {
  readonly name: string;
  readonly description?: string;
  readonly origin: Origin;
  /** `args`: everything after the name. */
  run(args: string, signal?: AbortSignal): Promise<void>;
}

/** Draws messages of one type. */
export interface OfferedRenderer {
  readonly type: string;
  readonly origin: Origin;
  /** Lines for that width, with colours; undefined: the host draws it in its own way. */
  render(
    message: Fields,
    how: { readonly width: number; readonly expanded: boolean },
  ): Promise<readonly string[] | undefined>;
}

/** One question of a login. `when` has been evaluated against the answers so far where it is listed. */
export type LoginPrompt =
  | {
      readonly kind: 'text';
      readonly key: string;
      readonly message: string;
      readonly placeholder?: string;
      /** What is wrong with this answer, if anything. */
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

/** What a login leaves behind, to be stored outside every project. */
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
  /** The provider it is for, when it is not the one that was asked for. */
  readonly provider?: string;
  readonly credential: Credential;
}
/** An OAuth login under way: the person opens `url`. */
export interface LoginStarted {
  readonly url: string;
  readonly instructions: string;
  /** auto: wait for it; code: the person brings a code back. */
  readonly way: 'auto' | 'code';
  finish(code?: string): Promise<LoginDone | undefined>;
}
export interface LoginMethod {
  readonly kind: 'api' | 'oauth';
  readonly label: string;
  readonly prompts: readonly LoginPrompt[];
  /** oauth. */
  start?(answers: Readonly<Record<string, string>>): Promise<LoginStarted>;
  /** api; without it the key that was typed is the credential. */
  accept?(answers: Readonly<Record<string, string>>): Promise<LoginDone | undefined>;
}
export interface OfferedAuth {
  readonly provider: string;
  readonly origin: Origin;
  readonly methods: readonly LoginMethod[];
  /** Options for the provider's client, made from what is stored; a `fetch` among them is called for every request. */
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
