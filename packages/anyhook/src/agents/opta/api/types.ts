/** The document's types, word for word; what the fourth version adds is optional and comes after. */
import type { OnFailure } from '../../../events/hook.ts';
import type { OptaContext } from '../dialect/context.ts';
import type { OptaEvent } from '../dialect/names.ts';

export type HookEvent = OptaEvent;
export type HookContext = OptaContext;

export interface HookDefinition {
  event: HookEvent;
  command: string;
  /** Regex against tool name (tool.pre/tool.post only). */
  matcher?: string | undefined;
  /** Milliseconds, default 10000. */
  timeout?: number | undefined;
  /** Fire-and-forget, default false. */
  background?: boolean | undefined;
  /** V4: read stdout as `{ decision?, reason?, updatedInput?, additionalContext? }`. */
  protocol?: 'json' | undefined;
  /** V4: shown while the hook runs. */
  statusMessage?: string | undefined;
  /** What it means when the hook itself breaks; default: Opta's own rule. */
  onFailure?: OnFailure | undefined;
  type?: 'command' | undefined;
}

/** V4: judged by a model instead of a command. */
export interface PromptHookDefinition extends Omit<HookDefinition, 'command' | 'type' | 'protocol'> {
  type: 'prompt';
  prompt: string;
}
export type AnyHookDefinition = HookDefinition | PromptHookDefinition;

export interface HookResult {
  cancelled: boolean;
  /** stderr of the cancelling hook; not cancelled: why a `stop` hook was not obeyed any more. */
  reason?: string;
  /** V4. `ask` is cancelled too: who can put the question to a person may go on after a yes. */
  decision?: 'allow' | 'ask' | 'deny';
  /** V4: the arguments as they shall run. */
  updatedInput?: Record<string, unknown>;
  /** V4: for the model. */
  additionalContext?: string;
}

/** What the firing helpers are told about the session. */
export interface OptaSession {
  readonly sessionId: string;
  readonly cwd: string;
  readonly model?: string;
  /** Ends hooks that are running. */
  readonly signal?: AbortSignal;
}
