/** Wraps a tool so that hooks judge each call and see its result. Their changes apply to the input and the result. */

import { same } from '../events/changes.ts';
import type { Fields } from '../events/effects.ts';
import type { Ids, EventInput } from '../events/event.ts';
import type { EventName, Payload } from '../events/events.ts';
import { isFields } from '../events/fields.ts';
import type { Outcome } from '../events/outcome.ts';
import { NO_REASON } from '../events/proceed.ts';
import type { Services } from '../events/services.ts';
import { changedMcpResult, isMcpResult } from './changed-result.ts';
import type { Hooks } from './hooks.ts';

export interface ToolCall {
  readonly ids?: Partial<Ids>;
  readonly signal?: AbortSignal;
  /** Receives every outcome of the call, including texts for the model and the user. */
  readonly onOutcome?: (outcome: Outcome) => void;
  /** An earlier outcome for exactly this call. Hooks are not called again. */
  readonly before?: Outcome;
  /** Whether the user has approved exactly this input. An approval answers a hook's question. */
  readonly isApproved?: (input: Fields) => boolean;
  /** Whether a thrown value interrupts the agent, which runs the call again later. It passes through and is not a failure. */
  readonly isInterrupt?: (error: unknown) => boolean;
}
export interface Tool<I, O, C extends ToolCall> {
  readonly name: string;
  execute(input: I, call?: C): O | Promise<O>;
}
export type WrapTool = <I extends object, O, C extends ToolCall = ToolCall>(
  tool: Tool<I, O, C>,
) => { readonly name: string; execute(input: I, call?: C): Promise<O> };

/** The call did not run. `message` is written for the model and says who refused and why. */
export class ToolRefused extends Error {
  readonly tool: string;
  readonly outcome: Outcome;
  constructor(tool: string, outcome: Outcome) {
    super(refusalText(tool, outcome));
    this.name = 'ToolRefused';
    this.tool = tool;
    this.outcome = outcome;
  }
}

export function refusalText(tool: string, { proceed, reason, aborted }: Outcome): string {
  if (aborted) return `${tool} was aborted`;
  if (proceed === 'ask') return `${tool} needs the user's consent: ${reason}`;
  return reason === NO_REASON ? `${tool} was ${reason}` : `${tool} was blocked: ${reason}`;
}

export function makeWrapTool(fire: Hooks['fire'], services: Services): WrapTool {
  return (tool) => ({
    name: sound(tool).name,
    async execute(input, call) {
      if (input !== undefined && !isFields(input))
        throw new TypeError(
          `wrapTool: ${tool.name} is called with ${Array.isArray(input) ? 'a list' : `a ${typeof input}`}, an object is expected. Hooks look for arguments by name.`,
        );
      const about = { ...(call?.ids && { ids: call.ids }), ...(call?.signal && { signal: call.signal }) };
      const tell = async <E extends EventName>(name: E, payload: Payload<E>): Promise<Outcome<E>> => {
        const outcome = await fire({ name, payload, ...about });
        call?.onOutcome?.(outcome);
        return outcome;
      };
      const before =
        call?.before ?? (await tell('tool.before', { tool: tool.name, input: input as unknown as Fields }));
      if (!(await mayRun(tool.name, before, services, call))) {
        const refused = new ToolRefused(tool.name, before);
        await tell('tool.denied', {
          tool: tool.name,
          input: input as unknown as Fields,
          reason: refused.message,
        });
        throw refused;
      }
      const final = before.payload['input'] as typeof input & Fields;
      let result;
      try {
        result = await tool.execute(final, call);
      } catch (error) {
        if (call?.isInterrupt?.(error) === true) throw error;
        const message = error instanceof Error ? error.message : String(error);
        const failure = await tell('tool.failed', { tool: tool.name, input: final, error: message });
        if (failure.payload['error'] === message) throw error;
        throw new Error(String(failure.payload['error']), { cause: error });
      }
      const shown = shownOf(result);
      const after = await tell('tool.after', { tool: tool.name, input: final, ...shown });
      return resultFrom(result, shown, after.payload) as typeof result;
    },
  });
}

/** Checked when the tool is wrapped: a call would fail too late, and hooks cannot match a tool without a name. */
function sound<T extends Tool<never, unknown, never>>(tool: T): T {
  const { name, execute }: { name?: unknown; execute?: unknown } = tool ?? {};
  if (typeof name !== 'string' || name === '')
    throw new TypeError("wrapTool: the tool has no name. Write wrapTool({ name: 'shell', execute }).");
  if (typeof execute !== 'function')
    throw new TypeError(`wrapTool: ${name} has no function "execute". Write wrapTool({ name, execute }).`);
  return tool;
}

/** Puts a question to the user if the host can. Without an answer the call does not run. */
async function mayRun(
  tool: string,
  outcome: Outcome,
  { ui }: Services,
  call: ToolCall | undefined,
): Promise<boolean> {
  if (outcome.proceed !== 'ask') return outcome.proceed === 'yes';
  if (call?.isApproved?.(outcome.payload['input'] as Fields) === true) return true;
  return (await ui?.confirm(`Run ${tool}?`, refusalText(tool, outcome))) === true;
}

/** Passes permission requests of a running tool to hooks, like all other permission questions. */
export const askPermission =
  (fire: (input: EventInput) => Promise<Outcome>): NonNullable<Services['permit']> =>
  async ({ permission, patterns, metadata, session, call }, signal) => {
    const title = patterns.length === 0 ? permission : `${permission}: ${patterns.join(', ')}`;
    const { proceed, reason } = await fire({
      name: 'tool.permission',
      payload: { tool: permission, input: metadata, pattern: [...patterns], title, metadata },
      ids: { session, ...(call !== undefined && { call }) },
      ...(signal && { signal }),
    });
    return { proceed, ...(reason !== '' && { reason }) };
  };

type Shown = Pick<Payload<'tool.after'>, 'content' | 'details' | 'isError'>;

/** The part of a result that hooks see. */
function shownOf(result: unknown): Shown {
  if (isMcpResult(result)) {
    const { content, structuredContent, isError } = result;
    const details = structuredContent === undefined ? result : structuredContent;
    return { content: [...content], details, isError: isError === true };
  }
  return { content: contentOf(result), details: result, isError: false };
}
function contentOf(result: unknown): unknown[] {
  if (typeof result === 'string') return [{ type: 'text', text: result }];
  return result === undefined ? [] : [{ type: 'text', text: JSON.stringify(result) ?? String(result) }];
}

/** Applies the changes of hooks to the result, in the shape that the tool returned. */
function resultFrom(result: unknown, shown: Shown, payload: Fields): unknown {
  const { content, details, isError } = payload;
  const isSame = same(content, shown.content);
  if (isMcpResult(result)) {
    const isStructured = result['structuredContent'] !== undefined;
    // Without structured content, a hook that keeps the content may replace the whole result.
    if (!isStructured && isSame && isFields(details) && !same(details, result)) return details;
    return changedMcpResult(result, { content, isError, ...(isStructured && { details }) });
  }
  if (!isSame) {
    const parts = content as readonly { text?: unknown }[];
    return parts.map((part) => (typeof part === 'string' ? part : String(part.text ?? ''))).join('');
  }
  return details === undefined ? result : details;
}
