/** Turns an event of the host into our event: adds ids and context, and translates the tool call into common names. */

import { randomBytes, randomUUID } from 'node:crypto';
import { byEvent } from '../events/by-event.ts';
import type { Fields } from '../events/effects.ts';
import type { Event, Ids, EventInput, Scene } from '../events/event.ts';
import { type EventName, rowOf } from '../events/events.ts';
import { isFields } from '../events/fields.ts';
import { type Lexicon, respell } from '../events/lexicon.ts';
import type { Ruling } from '../events/outcome.ts';
import { type TraceHeaders, traceUnder } from '../events/trace.ts';

export interface EventDefaults {
  readonly cwd: string;
  readonly lexicon: Lexicon;
  /** Trace headers of the program itself. */
  readonly trace?: TraceHeaders | undefined;
  /** Session of events that name none. */
  readonly session?: string;
}

export function makeEventOf({
  cwd,
  lexicon,
  trace,
  session = randomUUID(),
}: EventDefaults): (input: EventInput) => Event {
  const ids: Ids = Object.freeze({ session });
  const scene: Scene = Object.freeze({ cwd });
  return (input) => {
    const event: Writable<Event> = {
      name: input.name,
      payload: input.payload ?? {},
      ids: input.ids === undefined ? ids : over(ids, input.ids),
      scene: input.scene === undefined ? scene : over(scene, input.scene),
      round: 1,
    };
    if (input.raw !== undefined) event.raw = input.raw;
    if (input.usage !== undefined) event.usage = input.usage;
    const headers = input.traceHeaders ?? trace;
    if (headers !== undefined) sayTrace(event, headers);
    if (CALLS[input.name]) sayCall(event, lexicon);
    return event;
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
const over = <T>(usual: T, named: Partial<T>): T => ({ ...usual, ...named });

function sayTrace(event: Writable<Event>, headers: TraceHeaders): void {
  const context = traceUnder(headers, newSpan);
  if (context !== undefined) event.trace = context;
}

const newSpan = (): string => randomBytes(8).toString('hex');

/** Events that are about a tool call. */
const CALLS = byEvent((name) => rowOf(name).subject === 'tool');
export const isCall = (name: EventName): boolean => CALLS[name];

export const isNamed = ({ name, payload }: Event): boolean => {
  if (!isCall(name)) return true;
  const { tool } = payload as { tool?: unknown };
  return typeof tool === 'string' && tool !== '';
};

function sayCall(event: Writable<Event>, lexicon: Lexicon): void {
  const { tool, input } = event.payload as { tool?: unknown; input?: unknown };
  if (typeof tool !== 'string' || !isFields(input)) return; // unchanged: hooks see what the host sent
  const common = lexicon.read(tool, input);
  event.native = common.native;
  if (common.tool === tool && common.input === input) return;
  event.payload = { ...event.payload, tool: common.tool, input: common.input } as Event['payload'];
}

/** Translates an outcome back into the host's tool and argument names. */
export function inHostWords(outcome: Ruling, event: Event): Ruling {
  const { native } = event;
  if (native === undefined) return outcome;
  const { payload } = outcome;
  const isSame = Object.keys(native.args).length === 0 && native.command === undefined;
  if (payload['tool'] === native.tool && isSame) return outcome;
  return {
    ...outcome,
    payload: { ...payload, tool: native.tool, input: respell((payload['input'] ?? {}) as Fields, native) },
  };
}
