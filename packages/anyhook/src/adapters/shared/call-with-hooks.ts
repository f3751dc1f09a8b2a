/** Runs one tool call of a framework with hooks around it, and returns what the model should read as data. */

import type { Fields } from '../../events/effects.ts';
import type { Ids } from '../../events/event.ts';
import { isFields } from '../../events/fields.ts';
import type { Outcome } from '../../events/outcome.ts';
import type { Hooks } from '../../library/hooks.ts';
import { ToolRefused } from '../../library/wrap-tool.ts';
import { sayLost } from './say-lost.ts';

/** The options of every adapter. */
export interface AdapterOptions {
  /** Ids for each event. The id of the call is added. */
  readonly ids?: Partial<Ids>;
  /** Receives every outcome. Without it, lost effects become warnings. */
  readonly onOutcome?: (outcome: Outcome) => void;
}
export interface FrameworkCall extends AdapterOptions {
  readonly tool: string;
  readonly input: unknown;
  readonly call: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** An earlier outcome for exactly this call. */
  readonly before?: Outcome | undefined;
  /** Whether the user has approved exactly this input. May throw to interrupt the agent. */
  readonly isApproved?: (input: Fields, question: string) => boolean;
  /** Whether a thrown value interrupts the agent, and is not a failure of the tool. */
  readonly isInterrupt?: (error: unknown) => boolean;
}
/** `texts` are for the model and belong to the result. */
export type HookedCallResult<O> =
  | { readonly kind: 'ran'; readonly output: O; readonly texts: readonly string[] }
  | { readonly kind: 'failed'; readonly error: Error; readonly texts: readonly string[] }
  | { readonly kind: 'refused'; readonly message: string; readonly texts: readonly string[] };

/** Rejects only with an interrupt. */
export async function callWithHooks<O>(
  hooks: Pick<Hooks, 'wrapTool'>,
  { tool, input, call, signal, before, ids, onOutcome = sayLost, isApproved, isInterrupt }: FrameworkCall,
  execute: (input: Fields) => O | Promise<O>,
): Promise<HookedCallResult<O>> {
  if (!isFields(input))
    return { kind: 'refused', message: `${tool} was blocked: its input is not an object`, texts: [] };
  const texts: string[] = [];
  let question: Outcome | undefined;
  const note = (outcome: Outcome): void => {
    if (outcome.proceed === 'ask') question = outcome;
    else texts.push(...outcome.forModel);
  };
  if (before) note(before);
  const run = async (final: Fields): Promise<O> => {
    // Texts that came with a question count once the tool runs.
    if (question) texts.push(...question.forModel);
    return execute(final);
  };
  try {
    const output = await hooks.wrapTool<Fields, O>({ name: tool, execute: run }).execute(input, {
      ids: { ...ids, ...(call !== undefined && { call }) },
      ...(signal && { signal }),
      ...(before && { before }),
      ...(isInterrupt && { isInterrupt }),
      ...(isApproved && { isApproved: (shown: Fields) => isApproved(shown, question?.reason ?? '') }),
      onOutcome: (outcome) => {
        note(outcome);
        onOutcome(outcome);
      },
    });
    return { kind: 'ran', output, texts };
  } catch (error) {
    if (error instanceof ToolRefused) return { kind: 'refused', message: error.message, texts };
    if (isInterrupt?.(error) === true) throw error;
    return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)), texts };
  }
}

/** The result as the model reads it, followed by the texts of hooks. */
export const withTexts = (result: string, texts: readonly string[]): string =>
  [result, ...texts.map((text) => `<context>\n${text}\n</context>`)].join('\n');
