/** A handler gets `(event, ctx)`; the context is added where it is called, from the host's services. */
import { isPlain } from '../../../events/changes.ts';
import { contentText } from '../../../events/content.ts';
import { copyPlain } from '../../../events/copy.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { Request } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import { callIn } from '../../../events/lexicon.ts';
import { fromTree, oursOf, theirs, treeFieldsOf } from './fields.ts';
import { theirMessage, theirMessages } from './messages.ts';
import { OMP_EVENTS, eventOfPi, isToolObserver, type PiEventName } from './names.ts';
import { tools } from './tools.ts';

export const payload = { nameKey: 'type', write, read };

function write(event: Event, hook: Hook): Request {
  const native = nativeOf(event, hook.on);
  return hook.run.kind === 'command'
    ? { kind: 'command', cwd: event.scene.cwd, stdin: JSON.stringify(native) }
    : { kind: 'call', args: [native] };
}

/** Session and folder stand beside the document's fields: an agent elsewhere knows them from nowhere else. */
function nativeOf(event: Event, word: string): unknown {
  const name = event.name as PiEventName; // a hook of this dialect is only asked about events it has a word for
  const load = event.payload as Fields;
  return copyPlain({
    type: word,
    ...(isToolObserver(word)
      ? executionOf(event)
      : { ...theirs(name, load), ...SPECIAL[name]?.write(load, event) }),
    sessionId: event.ids.session,
    cwd: event.scene.cwd,
  });
}

interface Special {
  write(load: Fields, event: Event): Fields;
  read(native: Fields): Fields;
}
const callOf = (event: Event): Fields => {
  const { tool, input } = callIn(tools, event);
  return { toolName: tool, toolCallId: event.ids.call ?? '', input };
};
const call: Special = {
  write: (_load, event) => callOf(event),
  read: ({ toolName, input, args = input }) => ({
    tool: String(toolName ?? ''),
    input: isPlain(args) ? args : {},
  }),
};

/** `tool_execution_start` has the arguments, `tool_execution_end` the result. */
function executionOf(event: Event): Fields {
  const { toolName, toolCallId, input } = callOf(event);
  const load = event.payload as Fields;
  if (event.name === 'tool.before') return { toolCallId, toolName, args: input };
  const isError = event.name === 'tool.failed' || load['isError'] === true;
  const content = load['content'] ?? [{ type: 'text', text: String(load['error'] ?? '') }];
  return { toolCallId, toolName, result: { content, details: load['details'] }, isError };
}
/** The result stands in a field of its own in `tool_execution_end`. */
const resultIn = (native: Fields): Fields => (isPlain(native['result']) ? native['result'] : native);

const imagesIn = (parts: unknown): readonly unknown[] =>
  Array.isArray(parts) ? parts.filter((part) => isPlain(part) && part['type'] === 'image') : [];
/** Read as they came: an oh-my-pi agent has no other names for them. */
const messages: Special = {
  write: (load) => ({ messages: theirMessages(load['messages']) }),
  read: () => ({}),
};
/** pi says why, where oh-my-pi says by whom. */
const compaction: Special = {
  write: ({ trigger }) => ({ reason: trigger === 'manual' ? 'manual' : 'threshold', willRetry: false }),
  read: ({ trigger, reason }) => ({ trigger: trigger ?? (reason === 'manual' ? 'manual' : 'auto') }),
};
const preparationOf = (preparation: Fields): Fields =>
  Object.fromEntries(
    Object.entries(preparation).map(([key, value]) => [
      key,
      /[mM]essages/.test(key) ? theirMessages(value) : value,
    ]),
  );
const SPECIAL: { readonly [E in PiEventName]?: Special } = {
  'agent.end': messages,
  'model.context': messages,
  'compaction.prompt': messages,
  'turn.end': {
    write: ({ message, toolResults }) => ({
      message: theirMessage(message),
      toolResults: theirMessages(toolResults),
    }),
    read: () => ({}),
  },
  'session.navigating': {
    write: (load) => ({ preparation: treeFieldsOf(load) }),
    read: ({ preparation }) => (isPlain(preparation) ? fromTree(preparation) : {}),
  },
  'prompt.submit': {
    write: ({ parts }) => {
      const images = imagesIn(parts);
      return { ...(images.length > 0 && { images }), source: 'interactive' };
    },
    read: () => ({}),
  },
  'tool.before': call,
  'tool.after': {
    write: (load, event) => ({
      ...callOf(event),
      details: load['details'],
      isError: load['isError'] === true,
    }),
    read: (native) => ({
      ...call.read(native),
      content: Array.isArray(resultIn(native)['content']) ? resultIn(native)['content'] : [],
    }),
  },
  'tool.failed': {
    write: (load, event) => ({
      ...callOf(event),
      content: [{ type: 'text', text: String(load['error'] ?? '') }],
      details: undefined,
      isError: true,
    }),
    read: (native) => ({ ...call.read(native), error: contentText(resultIn(native)['content']) }),
  },
  'session.start': {
    write: ({ source }) => (source === undefined ? {} : { reason: source === 'clear' ? 'new' : source }),
    read: ({ source, reason }) => {
      const said = source ?? (reason === 'new' ? 'clear' : reason);
      return said === undefined ? {} : { source: said };
    },
  },
  'compaction.before': {
    ...compaction,
    write: (load, event) => ({
      ...compaction.write(load, event),
      ...(isPlain(load['preparation']) && { preparation: preparationOf(load['preparation']) }),
    }),
  },
  'compaction.after': {
    ...compaction,
    write: (load, event) => ({
      ...compaction.write(load, event),
      ...(isPlain(load['entry']) && {
        compactionEntry: { fromExtension: load['fromHook'] === true, ...load['entry'] },
      }),
    }),
  },
};

/** An oh-my-pi agent's event. Throws a TypeError for what is none. */
function read(native: unknown): Event {
  const said: Fields = isPlain(native) ? native : {};
  const name = nameOf(said);
  const call = said['toolCallId'];
  return {
    name,
    // Field by field from the table; what is missing stays missing, as it came.
    payload: { ...oursOf(name, said), ...SPECIAL[name]?.read(said) } as Event['payload'],
    ids: { session: String(said['sessionId'] ?? ''), ...(typeof call === 'string' && { call }) },
    scene: { cwd: String(said['cwd'] ?? '') },
    raw: native,
    round: 1,
  };
}

function nameOf({ type, isError }: Fields): PiEventName {
  const name = eventOfPi(String(type));
  if (name === undefined)
    throw new TypeError(`no oh-my-pi event: ${JSON.stringify(type)}; known are ${OMP_EVENTS.join(', ')}`);
  return name === 'tool.after' && isError === true ? 'tool.failed' : name;
}
