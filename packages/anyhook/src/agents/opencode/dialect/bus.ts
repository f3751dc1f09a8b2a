/** Converts bus events: arguments for the `event` hook, and native events to ours. */

import { isPlain } from '../../../events/changes.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event, Ids } from '../../../events/event.ts';
import type { EventName } from '../../../events/events.ts';
import type { Match } from '../../../events/hook.ts';
import { busMessage, busPart } from './bus-messages.ts';
import { type BusWord, words } from './names.ts';
import { permissionOf } from './rows.ts';
import { tools } from './tools.ts';
import { sessionIn, messageIn, timeOf } from './whereabouts.ts';

/** Returns `{ event }` for the hook. Events without an equivalent are passed on unchanged. */
export function busEvent(event: Event, word: string): Fields {
  const load = event.payload as Fields;
  if (word === 'event') return { event: otherEvent(load, event) };
  const type = word.slice('event:'.length);
  const properties = PROPERTIES[word as BusWord]?.(load, event) ?? {};
  return { event: { id: idOf(event, word), type, properties } };
}

/** Bus events that only cover some tools, although our event covers all. */
const TOOLS_OF: { readonly [W in BusWord]?: readonly string[] } = {
  'event:todo.updated': tools.todo?.names ?? [],
};
export function busMatch(word: string): Match {
  const names = TOOLS_OF[word as BusWord];
  return names === undefined ? { kind: 'any' } : { kind: 'names', names };
}

const todosIn = ({ input }: Fields): unknown => (isPlain(input) ? input['todos'] : undefined);

/** Sort keys per event of ours, in the order in which events fired. */
const keys = new WeakMap<Event, string>();
let lastNumber = 0;
function keyOf(event: Event): string {
  let key = keys.get(event);
  if (key === undefined)
    keys.set(event, (key = `${Date.now().toString(36)}${String(++lastNumber).padStart(8, '0')}`));
  return key;
}
/** Each bus event has one id for all plugins. If one event of ours is several bus events, each has its own id. */
const idOf = (event: Event, word: string): string =>
  `evt_${keyOf(event)}${String(wordsOf(event).indexOf(word) + 1).padStart(2, '0')}`;
const wordsOf = ({ name }: Event): readonly string[] => words[name] ?? [];

function otherEvent({ word, body }: Fields, event: Event): Fields {
  if (isPlain(body) && typeof body['type'] === 'string' && isPlain(body['properties'])) return body;
  const type = String(word ?? '').replace(/^event:/, '');
  return {
    id: idOf(event, 'event'),
    type,
    properties: { ...sessionOf(event), ...(isPlain(body) && bodyOf(type, body)) },
  };
}
/** A refusal is an event of ours. The host itself reports an approval, together with a call. */
const bodyOf = (type: string, body: Fields): Fields =>
  type === 'permission.replied' && typeof body['call'] === 'string'
    ? replyTo(body['call'], body['reply'])
    : body;
const replyTo = (call: string, reply: unknown): Fields => ({
  permissionID: `per_${call}`,
  requestID: `per_${call}`,
  response: reply,
  reply,
});

const sessionOf = (event: Event) => ({ sessionID: sessionIn(event) });
/** A subagent has its own session. */
const childOf = ({ ids }: Event): string => ids.agent ?? `${ids.session}/subagent`;
const isChild = ({ name }: Event) => name === 'subagent.start' || name === 'subagent.stop';

type Write = (load: Fields, event: Event) => Fields;
const PROPERTIES: { readonly [W in BusWord]: Write } = {
  'event:session.created'(_load, event) {
    const id = isChild(event) ? childOf(event) : event.ids.session;
    const info = {
      id,
      projectID: 'global',
      directory: event.scene.cwd,
      ...(isChild(event) && { parentID: event.ids.session }),
      title: `New session - ${new Date(timeOf(event)).toISOString()}`,
      version: '',
      time: { created: timeOf(event), updated: timeOf(event) },
    };
    return { sessionID: id, info };
  },
  'event:session.idle': (_load, event) =>
    isChild(event) ? { sessionID: childOf(event), parentID: event.ids.session } : sessionOf(event),
  'event:session.error': ({ kind, message }, event) => ({
    ...sessionOf(event),
    error: { name: kind ?? 'UnknownError', data: { message } },
  }),
  'event:session.status': ({ attempt, error, delayMs }, event) => ({
    ...sessionOf(event),
    status:
      event.name === 'retry.start'
        ? { type: 'retry', attempt, message: error, next: delayMs }
        : { type: event.name === 'agent.idle' ? 'idle' : 'busy' },
  }),
  'event:session.compacted': (_load, event) => sessionOf(event),
  'event:file.edited': ({ file }, event) => ({ file, ...sessionOf(event) }),
  'event:permission.asked'(load, event) {
    const { id, type, pattern, metadata, callID } = permissionOf(load, event);
    const patterns = Array.isArray(pattern) ? pattern : pattern === undefined ? [] : [pattern];
    const tool = { messageID: messageIn(event), callID: callID ?? '' };
    return { id, ...sessionOf(event), permission: type, patterns, metadata, always: [], tool };
  },
  'event:permission.replied': (_load, event) => ({
    ...sessionOf(event),
    ...replyTo(event.ids.call ?? event.ids.session, 'reject'),
  }),
  'event:message.updated': (load, event) => ({
    ...sessionOf(event),
    info: busMessage(load, event, keyOf(event)),
  }),
  'event:message.part.updated': (load, event) => ({
    ...sessionOf(event),
    part: busPart(load, event, keyOf(event)),
    time: timeOf(event),
  }),
  'event:todo.updated': (load, event) => ({ ...sessionOf(event), todos: todosIn(load) ?? [] }),
  'event:tui.toast.show': ({ title, message, kind }) => ({
    ...(title !== undefined && { title }),
    message,
    variant: ['info', 'success', 'warning', 'error'].includes(String(kind)) ? kind : 'info',
  }),
};

export interface BusRead {
  readonly name: EventName;
  readonly payload: Fields;
  readonly ids: Ids;
  readonly cwd?: string;
}

/**
 * Reads a native event. It only becomes an event of ours if the agent reports it in no other way: a call that its
 * plugins have judged must not fire twice. Everything else is `other`, unchanged.
 */
export function readBus(event: Fields): BusRead {
  const type = String(event['type'] ?? '');
  const properties: Fields = isPlain(event['properties']) ? event['properties'] : {};
  const ids = { session: String(properties['sessionID'] ?? '') };
  const read = Object.hasOwn(READ, type) ? READ[type]!(properties) : undefined;
  return { ids, name: 'other', payload: { word: `event:${type}`, body: event }, ...read };
}

type ReadProperties = (properties: Fields) => Partial<BusRead> | undefined;
const infoIn = ({ info }: Fields): Fields => (isPlain(info) ? info : {});
const READ: Readonly<Record<string, ReadProperties>> = {
  'session.created'(properties) {
    const { id, parentID, directory } = infoIn(properties);
    const session = String(id ?? properties['sessionID'] ?? '');
    const cwd = typeof directory === 'string' ? { cwd: directory } : {};
    return typeof parentID === 'string'
      ? { name: 'subagent.start', payload: {}, ids: { session: parentID, agent: session }, ...cwd }
      : { name: 'session.start', payload: { source: 'startup' }, ids: { session }, ...cwd };
  },
  // Our bridge adds `parentID`, because OpenCode's own event does not mark sessions of subagents.
  'session.idle': ({ sessionID, parentID }) =>
    typeof parentID === 'string'
      ? { name: 'subagent.stop', payload: {}, ids: { session: parentID, agent: String(sessionID) } }
      : { name: 'agent.idle', payload: {} },
  'session.error'({ error }) {
    const { name, data }: Fields = isPlain(error) ? error : {};
    const message = String((isPlain(data) ? data['message'] : undefined) ?? name ?? 'unknown error');
    return { name: 'session.error', payload: { message, ...(typeof name === 'string' && { kind: name }) } };
  },
  'session.status'({ status }) {
    const { type, attempt, message, next }: Fields = isPlain(status) ? status : {};
    if (type === 'busy') return { name: 'agent.start', payload: {} };
    if (type !== 'retry') return undefined;
    const delayMs = Number(next ?? 0);
    const tries = Number(attempt ?? 0);
    const payload = { attempt: tries, maxAttempts: tries, delayMs, error: String(message ?? '') };
    return { name: 'retry.start', payload };
  },
  'session.compacted': () => ({ name: 'compaction.after', payload: {} }),
  'file.edited': ({ file }) => ({ name: 'file.edited', payload: { file: String(file ?? '') } }),
  // OpenCode has no other event for a failed tool.
  'message.part.updated'({ part }) {
    const { type, tool, callID, state, sessionID }: Fields = isPlain(part) ? part : {};
    if (type !== 'tool' || !isPlain(state) || state['status'] !== 'error') return undefined;
    const input = isPlain(state['input']) ? state['input'] : {};
    return {
      name: 'tool.failed',
      payload: { tool: String(tool ?? ''), input, error: String(state['error'] ?? '') },
      ids: { session: String(sessionID ?? ''), ...(typeof callID === 'string' && { call: callID }) },
    };
  },
  'tui.toast.show': ({ message, title, variant }) => ({
    name: 'notification.sent',
    payload: {
      message: String(message ?? ''),
      ...(typeof title === 'string' && { title }),
      ...(typeof variant === 'string' && { kind: variant }),
    },
  }),
};
