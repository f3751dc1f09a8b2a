/** Writes the input of our hooks: one JSON document on stdin and a few small variables. */

import { isAbsolute, resolve } from 'node:path';
import { isPlain } from '../../../events/changes.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event, Spelling } from '../../../events/event.ts';
import { isEventName } from '../../../events/events.ts';
import type { Request } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import { perEvent } from '../../../events/per-event.ts';
import { textsIn } from '../../../events/texts-in.ts';
import { type Usage, usageFault } from '../../../events/usage.ts';

/** Document keys of every event. A payload field with one of these names is under `payload`. */
const ENVELOPE: ReadonlySet<string> = new Set([
  'event',
  'session',
  'agent',
  'call',
  'cwd',
  'model',
  'mode',
  'transcript',
  'agentType',
  'round',
  'native',
  'usage',
  'payload',
]);

export function writePayload(event: Event, hook: Hook): Request {
  switch (hook.run.kind) {
    case 'call':
    case 'rule':
    case 'isolated':
      return { kind: 'call', args: [event] };
    case 'command':
      return {
        kind: 'command',
        cwd: folderOf(event, hook),
        stdin: eventText(event),
        // A warm process was started before the event was known.
        ...(hook.run.warm === undefined && { env: variables(event) }),
      };
    default:
      return { kind: 'send', body: eventText(event) };
  }
}

const written = perEvent((event) => `${JSON.stringify(documentOf(event))}\n`);
const eventText = (event: Event): string => written(event, event.name);

function documentOf({ name, payload, ids, scene, round, native, usage }: Event): Fields {
  const fields = Object.entries(payload);
  const taken = fields.filter(([key]) => ENVELOPE.has(key));
  return {
    event: name,
    ...ids,
    ...scene,
    round,
    ...(native && { native }),
    ...(usage && { usage }),
    ...Object.fromEntries(fields.filter(([key]) => !ENVELOPE.has(key))),
    ...(taken.length > 0 && { payload: Object.fromEntries(taken) }),
  };
}

function folderOf({ scene }: Event, { extra }: Hook): string {
  const cwd = extra?.['cwd'];
  return typeof cwd === 'string' ? resolve(scene.cwd, cwd) : scene.cwd;
}

/** Longer values are only on stdin, because space in the environment is limited. */
const LONGEST_VARIABLE = 4096;
function variables({ name, ids, scene, payload }: Event): Record<string, string> {
  const { tool } = payload as { tool?: unknown };
  const all = { EVENT: name, SESSION: ids.session, CWD: scene.cwd, TOOL: tool };
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) =>
      typeof value === 'string' && value.length <= LONGEST_VARIABLE && !value.includes('\0')
        ? [[`ANYHOOK_${key}`, value]]
        : [],
    ),
  );
}

/** Reads the payload from an agent with our dialect. Missing fields get defaults, and unknown ones are kept. */
export function readPayload(native: unknown, env: Readonly<Record<string, string | undefined>> = {}): Event {
  const payloadFields: Fields = isPlain(native) ? native : {};
  const { event, session, agent, call, round, payload, native: spelling, usage } = payloadFields;
  const known = typeof event === 'string' && isEventName(event);
  const rest = Object.fromEntries(Object.entries(payloadFields).filter(([key]) => !ENVELOPE.has(key)));
  const own = known
    ? { ...rest, ...(isPlain(payload) && payload) }
    : { word: typeof event === 'string' ? event : 'unknown', body: native };
  return {
    name: known ? event : 'other',
    payload: own as Event['payload'], // unchanged: extra and missing fields are accepted
    ids: {
      session: typeof session === 'string' ? session : (env['ANYHOOK_SESSION'] ?? 'unknown'),
      ...textsIn({ agent, call }),
    },
    scene: {
      cwd: folderIn(payloadFields['cwd'], env),
      ...textsIn({
        model: payloadFields['model'],
        mode: payloadFields['mode'],
        transcript: payloadFields['transcript'],
        agentType: payloadFields['agentType'],
      }),
    },
    raw: native,
    ...(isSpelling(spelling) && { native: spelling }),
    ...(usage !== undefined && usageFault(usage) === undefined && { usage: usage as Usage }),
    round: round === 2 ? 2 : 1,
  };
}

const folderIn = (cwd: unknown, env: Readonly<Record<string, string | undefined>>): string =>
  typeof cwd === 'string' && isAbsolute(cwd) ? cwd : (env['ANYHOOK_CWD'] ?? env['PWD'] ?? '/');
const isSpelling = (value: unknown): value is Spelling =>
  isPlain(value) &&
  typeof value['tool'] === 'string' &&
  isPlain(value['args']) &&
  Object.values(value['args']).every((name) => typeof name === 'string');
