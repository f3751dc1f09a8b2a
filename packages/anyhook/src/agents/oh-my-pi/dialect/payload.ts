/** A handler receives `(event, ctx)`. The context is created from the host's services where it is called. */

import { isPlain } from '../../../events/changes.ts';
import { contentText } from '../../../events/content.ts';
import { copyPlain } from '../../../events/copy.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { Request } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import { callIn } from '../../../events/lexicon.ts';
import { theirMessage, theirMessages } from './messages.ts';
import { OMP_EVENTS, eventOfPi, isToolObserver, type PiEventName } from './names.ts';
import { tools } from './tools.ts';

/** Our and their field names: `ours: theirs`. Larger differences are coded below. */
const NAMES: { readonly [E in PiEventName]: Readonly<Record<string, string>> } = {
  'session.start': { source: 'source' },
  'session.end': { reason: 'reason' },
  'session.switching': { reason: 'reason', target: 'targetSessionFile' },
  'session.switched': { reason: 'reason', previous: 'previousSessionFile' },
  'session.branching': { entry: 'entryId' },
  'session.branched': { previous: 'previousSessionFile' },
  'session.navigating': {},
  'session.navigated': {
    newLeaf: 'newLeafId',
    oldLeaf: 'oldLeafId',
    summary: 'summaryEntry',
    fromHook: 'fromExtension',
  },
  'prompt.submit': { prompt: 'text' },
  'agent.before': { prompt: 'prompt', images: 'images' },
  'agent.start': {},
  'agent.end': { messages: 'messages' },
  'turn.start': { index: 'turnIndex', timestamp: 'timestamp' },
  'turn.end': { index: 'turnIndex', message: 'message', toolResults: 'toolResults' },
  'model.context': { messages: 'messages' },
  'tool.before': {},
  'tool.after': { content: 'content', details: 'details' },
  'tool.failed': {},
  'compaction.before': {
    trigger: 'trigger',
    instructions: 'customInstructions',
    preparation: 'preparation',
    entries: 'branchEntries',
  },
  'compaction.prompt': { messages: 'messages' },
  'compaction.after': { trigger: 'trigger', entry: 'compactionEntry', fromHook: 'fromExtension' },
  'autocompaction.start': { reason: 'reason', action: 'action' },
  'autocompaction.end': {
    result: 'result',
    aborted: 'aborted',
    willRetry: 'willRetry',
    error: 'errorMessage',
    action: 'action',
    skipped: 'skipped',
  },
  'retry.start': {
    attempt: 'attempt',
    maxAttempts: 'maxAttempts',
    delayMs: 'delayMs',
    error: 'errorMessage',
  },
  'retry.end': { success: 'success', attempt: 'attempt', error: 'finalError' },
  'rule.triggered': { rules: 'rules' },
  'todo.reminder': { todos: 'todos', attempt: 'attempt', maxAttempts: 'maxAttempts' },
};
/** In `session_before_tree` these are inside `preparation`. */
const TREE = {
  target: 'targetId',
  oldLeaf: 'oldLeafId',
  commonAncestor: 'commonAncestorId',
  entriesToSummarize: 'entriesToSummarize',
  wantsSummary: 'userWantsSummary',
};

const theirs = (name: PiEventName, load: Fields): Fields => renamed(load, NAMES[name]);
const oursOf = (name: PiEventName, native: Fields): Fields => renamed(native, flipped(NAMES[name]));
const treeFieldsOf = (load: Fields): Fields => renamed(load, TREE);
const fromTree = (preparation: Fields): Fields => renamed(preparation, flipped(TREE));

const renamed = (from: Fields, names: Readonly<Record<string, string>>): Fields =>
  Object.fromEntries(
    Object.entries(names).flatMap(([own, other]) => (from[own] === undefined ? [] : [[other, from[own]]])),
  );
const flipped = (names: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(names).map(([own, other]) => [other, own]));

export const payload = { nameKey: 'type', write, read };

function write(event: Event, hook: Hook): Request {
  const native = nativeOf(event, hook.on);
  return hook.run.kind === 'command'
    ? { kind: 'command', cwd: event.scene.cwd, stdin: JSON.stringify(native) }
    : { kind: 'call', args: [native] };
}

/** Session and folder are added to the documented fields, because other agents have no other way to pass them. */
function nativeOf(event: Event, word: string): unknown {
  const name = event.name as PiEventName; // hooks of this dialect only run for events that it has
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
/** `tool_execution_end` has the result in a separate field. */
const resultIn = (native: Fields): Fields => (isPlain(native['result']) ? native['result'] : native);

const imagesIn = (parts: unknown): readonly unknown[] =>
  Array.isArray(parts) ? parts.filter((part) => isPlain(part) && part['type'] === 'image') : [];
/** Read unchanged, because an oh-my-pi agent has no other names for them. */
const messages: Special = {
  write: (load) => ({ messages: theirMessages(load['messages']) }),
  read: () => ({}),
};
/** pi sends the reason, oh-my-pi the origin. */
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
      const startSource = source ?? (reason === 'new' ? 'clear' : reason);
      return startSource === undefined ? {} : { source: startSource };
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

/** Reads an event of an oh-my-pi agent. Throws a TypeError for an unknown one. */
function read(native: unknown): Event {
  const payloadFields: Fields = isPlain(native) ? native : {};
  const name = nameOf(payloadFields);
  const call = payloadFields['toolCallId'];
  return {
    name,
    // Field by field from the table. Missing fields stay missing.
    payload: { ...oursOf(name, payloadFields), ...SPECIAL[name]?.read(payloadFields) } as Event['payload'],
    ids: { session: String(payloadFields['sessionId'] ?? ''), ...(typeof call === 'string' && { call }) },
    scene: { cwd: String(payloadFields['cwd'] ?? '') },
    raw: native,
    round: 1,
  };
}

function nameOf({ type, isError }: Fields): PiEventName {
  const name = eventOfPi(String(type));
  if (name === undefined)
    throw new TypeError(`not an oh-my-pi event: ${JSON.stringify(type)}; known are ${OMP_EVENTS.join(', ')}`);
  return name === 'tool.after' && isError === true ? 'tool.failed' : name;
}
