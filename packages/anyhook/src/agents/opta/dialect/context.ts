/** Converts an event to Opta's context and back. */

import { same } from '../../../events/changes.ts';
import { contentText } from '../../../events/content.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { callIn } from '../../../events/lexicon.ts';
import { makeNatives } from '../../../events/natives.ts';
import { OPTA_EVENTS, type OptaEvent, eventOfOpta } from './names.ts';
import { tools } from './tools.ts';

/** The documented HookContext, and additions of later versions. */
export interface OptaContext {
  readonly event: OptaEvent;
  readonly session_id: string;
  readonly cwd: string;
  readonly tool_name?: string | undefined;
  /** JSON text. */
  readonly tool_args?: string | undefined;
  readonly tool_result?: string | undefined;
  readonly error_message?: string | undefined;
  readonly model?: string | undefined;
  readonly turn_index?: number | undefined;
  readonly prompt?: string | undefined;
  /** The agent continues only because of a stop hook. */
  readonly stop_active?: boolean | undefined;
}

export function optaContextOf(event: Event, word: OptaEvent): OptaContext {
  const load = event.payload as Fields;
  return {
    event: word,
    session_id: event.ids.session,
    cwd: event.scene.cwd,
    ...(event.scene.model !== undefined && { model: event.scene.model }),
    ...(typeof load['tool'] === 'string' && callOf(event, word)),
    ...(word === 'tool.post' && { tool_result: contentText(load['content']) }),
    ...(word === 'error' && { error_message: String(load['message'] ?? '') }),
    ...(word === 'turn.done' && typeof load['index'] === 'number' && { turn_index: load['index'] }),
    ...(word === 'prompt.pre' && { prompt: String(load['prompt'] ?? '') }),
    ...(word === 'stop' && { stop_active: load['active'] === true }),
  };
}

const natives = makeNatives();

/** Throws a TypeError for an unknown event. */
export function eventOf(context: Partial<OptaContext>, raw: unknown): Event {
  const name = context.event === undefined ? undefined : eventOfOpta(context.event);
  if (name === undefined)
    throw new TypeError(
      `not an Opta event: ${JSON.stringify(context.event)}; known are ${OPTA_EVENTS.join(', ')}`,
    );
  natives.keep(raw);
  return {
    name,
    payload: PAYLOADS[context.event!](context) as Event['payload'],
    ids: { session: context.session_id ?? '' },
    scene: { cwd: context.cwd ?? '', ...(context.model && { model: context.model }) },
    raw,
    round: 1,
  };
}

const PAYLOADS: Record<OptaEvent, (context: Partial<OptaContext>) => Fields> = {
  'session.start': () => ({}),
  'session.end': () => ({}),
  'tool.pre': (context) => ({ tool: context.tool_name ?? '', input: inputOf(context.tool_args) }),
  'tool.post': (context) => ({
    tool: context.tool_name ?? '',
    input: inputOf(context.tool_args),
    content: [{ type: 'text', text: context.tool_result ?? '' }],
  }),
  compact: () => ({}),
  error: (context) => ({ message: context.error_message ?? '' }),
  'turn.done': (context) => (context.turn_index === undefined ? {} : { index: context.turn_index }),
  'prompt.pre': (context) => ({ prompt: context.prompt ?? '' }),
  stop: (context) => ({ active: context.stop_active === true }),
};

/** The context of an Opta program is passed on unchanged. Its text is only rewritten after a change. */
function callOf(event: Event, word: OptaEvent): Pick<OptaContext, 'tool_name' | 'tool_args'> {
  const theirs = callIn(tools, event);
  const raw = natives.has(event.raw) ? (event.raw as Partial<OptaContext>) : undefined;
  if (raw?.event !== word) return { tool_name: theirs.tool, tool_args: JSON.stringify(theirs.input) };
  const isUnchanged = same(inputOf(raw.tool_args), (event.payload as { input: Fields }).input);
  return {
    ...(raw.tool_name !== undefined && { tool_name: raw.tool_name }),
    ...(!isUnchanged
      ? { tool_args: JSON.stringify(theirs.input) }
      : raw.tool_args !== undefined && { tool_args: textOfArgs(raw.tool_args) }),
  };
}

/** Arguments that are not a JSON object are kept as text, because a guard must see them. */
function inputOf(args: unknown): Fields {
  if (args === undefined || args === '') return {};
  try {
    const value: unknown = typeof args === 'string' ? JSON.parse(args) : args;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : { value };
  } catch {
    return { text: args };
  }
}

/** The document requires a string; an object is accepted too. */
const textOfArgs = (args: unknown): string => (typeof args === 'string' ? args : JSON.stringify(args));
