/** The types of the document, unchanged. Additions of version 4 are optional and come last. */

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
  /** The policy if the hook itself fails; default: Opta's own rule. */
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
  /** stderr of the cancelling hook. If not cancelled: why a `stop` hook is no longer obeyed. */
  reason?: string;
  /** V4. `ask` is cancelled too. A host that can ask the user may continue after a yes. */
  decision?: 'allow' | 'ask' | 'deny';
  /** V4: the arguments to run. */
  updatedInput?: Record<string, unknown>;
  /** V4: for the model. */
  additionalContext?: string;
}

/** Session data for the firing helpers. */
export interface OptaSession {
  readonly sessionId: string;
  readonly cwd: string;
  readonly model?: string;
  /** Aborts running hooks. */
  readonly signal?: AbortSignal;
}
