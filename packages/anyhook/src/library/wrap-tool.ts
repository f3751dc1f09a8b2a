/** A tool whose calls go by the hooks: asked before, told after, and what hooks change is what runs and what returns. */
import { same } from '../events/changes.ts';
import type { Fields } from '../events/effects.ts';
import type { Ids, EventInput } from '../events/event.ts';
import type { EventName, Payload } from '../events/events.ts';
import type { Outcome } from '../events/outcome.ts';
import { isFields } from '../events/fields.ts';
import { NO_REASON } from '../events/proceed.ts';
import type { Services } from '../events/services.ts';
import { changedMcpResult, isMcpResult } from './changed-result.ts';
import type { Hooks } from './hooks.ts';

export interface ToolCall {
  readonly ids?: Partial<Ids>;
  readonly signal?: AbortSignal;
  /** Hears every outcome of the call: what hooks want said to the model or the person stands on it. */
  readonly onOutcome?: (outcome: Outcome) => void;
  /** What hooks already said about exactly this call: they are not asked once more. */
  readonly before?: Outcome;
  /** Has a person said yes to exactly this input? Then a hook's question is answered. */
  readonly isApproved?: (input: Fields) => boolean;
}
export interface Tool<I, O, C extends ToolCall> {
  readonly name: string;
  execute(input: I, call?: C): O | Promise<O>;
}
export type WrapTool = <I extends object, O, C extends ToolCall = ToolCall>(
  tool: Tool<I, O, C>,
) => { readonly name: string; execute(input: I, call?: C): Promise<O> };

/** The call did not run. `message` is fit for the model: it says who refused and why. */
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
  if (proceed === 'ask') return `${tool} needs a person's consent: ${reason}`;
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
        const message = error instanceof Error ? error.message : String(error);
        const told = await tell('tool.failed', { tool: tool.name, input: final, error: message });
        if (told.payload['error'] === message) throw error;
        throw new Error(String(told.payload['error']), { cause: error });
      }
      const shown = shownOf(result);
      const after = await tell('tool.after', { tool: tool.name, input: final, ...shown });
      return resultFrom(result, shown, after.payload) as typeof result;
    },
  });
}

/** Said when it is wrapped: a call would find it out too late, and hooks could not know a tool without a name. */
function sound<T extends Tool<never, unknown, never>>(tool: T): T {
  const { name, execute }: { name?: unknown; execute?: unknown } = tool ?? {};
  if (typeof name !== 'string' || name === '')
    throw new TypeError("wrapTool: the tool has no name. Write wrapTool({ name: 'shell', execute }).");
  if (typeof execute !== 'function')
    throw new TypeError(`wrapTool: ${name} has no function "execute". Write wrapTool({ name, execute }).`);
  return tool;
}

/** A question goes to the person, if the host can put one; where nobody answers, nothing runs. */
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

/** What a tool asks for while it runs is put to hooks as every other question of permission. */
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

/** What hooks are shown of a result. */
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

/** The result in the shape the tool gave it, with what hooks changed. */
function resultFrom(result: unknown, shown: Shown, payload: Fields): unknown {
  const { content, details, isError } = payload;
  const isSame = same(content, shown.content);
  if (isMcpResult(result)) {
    const isStructured = result['structuredContent'] !== undefined;
    // Without structured content, a hook that leaves the content alone may hand back another result as a whole.
    if (!isStructured && isSame && isFields(details) && !same(details, result)) return details;
    return changedMcpResult(result, { content, isError, ...(isStructured && { details }) });
  }
  if (!isSame) {
    const parts = content as readonly { text?: unknown }[];
    return parts.map((part) => (typeof part === 'string' ? part : String(part.text ?? ''))).join('');
  }
  return details === undefined ? result : details;
}
