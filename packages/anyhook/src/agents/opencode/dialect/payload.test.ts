import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../events/event.ts';
import type { CallRequest } from '../../../events/exchange.ts';
import { makeLexicon } from '../../../events/lexicon.ts';
import { event } from '../../../testing/index.ts';
import { hookFromPlugin } from './definition.ts';
import { opencode } from './index.ts';
import { nativeOf } from './payload.ts';
import { tools } from './tools.ts';

const RECORDED = join(import.meta.dirname, 'fixtures/recorded');
const recorded = (name: string) =>
  JSON.parse(readFileSync(join(RECORDED, `${name}.json`), 'utf8')) as {
    input: Record<string, unknown>;
    output: Record<string, unknown>;
    event?: Record<string, unknown>;
  };
const origin = { layer: 'user', file: 'p.ts', line: 1 } as const;
const hook = (on: string) => hookFromPlugin({ on, origin, fn: () => {}, timeoutMs: 1000 })!;
const argsFor = (on: string, about: Parameters<typeof opencode.payload.write>[0]) =>
  (opencode.payload.write(about, hook(on)) as CallRequest).args;

describe('plugin arguments of OpenCode 1.18.33', () => {
  const files = readdirSync(RECORDED)
    .map((file) => basename(file, '.json'))
    .filter((file) => file !== '_meta' && !file.startsWith('event.'));
  /** `tool.execute.after.bash` is a recording of `tool.execute.after`. */
  const wordOf = (file: string) => file.replace(/\.(bash|edit|write|read|task)$/, '');

  test.each(files)('the recorded %s is written back with every field', (file) => {
    const { input, output } = recorded(file);
    const name = wordOf(file);
    const read = opencode.payload.read({ name, input, output, directory: '/project' });
    const lexicon = makeLexicon([tools]);
    const { tool, input: args } = read.payload as { tool?: string; input?: Record<string, unknown> };
    const said = tool !== undefined && args !== undefined ? lexicon.read(tool, args) : undefined;
    const ours =
      said === undefined
        ? read
        : ({
            ...read,
            payload: { ...read.payload, tool: said.tool, input: said.input },
            native: said.native,
          } as typeof read);
    const again = nativeOf(ours, name);
    expect(again).toMatchObject({ name, input, ...(output !== null && { output }) });
  });
});

test('a write has both names of its path', () => {
  const before = event(
    'tool.before',
    { tool: 'write', input: { path: '/p/a.ts', content: 'x' } },
    { ids: { session: 's', call: 'c' } },
  );
  expect(argsFor('tool.execute.before', before)).toEqual([
    { tool: 'write', sessionID: 's', callID: 'c' },
    { args: { filePath: '/p/a.ts', path: '/p/a.ts', content: 'x' } },
  ]);
});

test('a permission has the fields of the agent and those of the document', () => {
  const asked = event(
    'tool.permission',
    { tool: 'shell', input: { command: 'ls' } },
    { ids: { session: 's', call: 'c' } },
  );
  expect(argsFor('permission.ask', asked)).toEqual([
    {
      id: 'per_c',
      type: 'bash',
      pattern: 'ls',
      sessionID: 's',
      messageID: '',
      callID: 'c',
      title: 'ls',
      metadata: { command: 'ls' },
      time: { created: expect.any(Number) },
      tool: 'bash',
      args: { command: 'ls' },
    },
    { status: 'ask' },
  ]);
});

test('metadata of a file tool has the path under both names, and the change', () => {
  const diff = '--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n one\n--- two\n+three\n+four\n';
  const after = event('tool.after', {
    tool: 'edit',
    input: { path: '/p/a.ts' },
    content: [{ type: 'text', text: 'done' }],
    details: { diff },
  });
  expect(argsFor('tool.execute.after', after)[1]).toEqual({
    title: '',
    output: 'done',
    metadata: {
      path: '/p/a.ts',
      filepath: '/p/a.ts',
      diff,
      filediff: { file: '/p/a.ts', patch: diff, additions: 2, deletions: 1 },
      truncated: false,
    },
  });
});

test('two hooks of one event get separate copies of the input', () => {
  const about = event('tool.before', { tool: 'shell', input: { command: 'ls', nested: { a: 1 } } });
  const [input, output] = argsFor('tool.execute.before', about) as [
    { tool: string },
    { args: { nested: { a: number } } },
  ];
  input.tool = 'read';
  output.args.nested.a = 2;
  expect(about.payload).toEqual({ tool: 'shell', input: { command: 'ls', nested: { a: 1 } } });
  expect(argsFor('tool.execute.before', about)[0]).toMatchObject({ tool: 'bash' });
});

test('a prompt without parts is a message with one text', () => {
  const [input, output] = argsFor(
    'chat.message',
    event('prompt.submit', { prompt: 'do it' }, { ids: { session: 's' } }),
  ) as [object, { parts: object[] }];
  expect(input).toMatchObject({ sessionID: 's', agent: 'build' });
  expect(output.parts).toEqual([
    { id: 'prt_s_0', sessionID: 's', messageID: 'msg_s', type: 'text', text: 'do it' },
  ]);
});

test("a subagent's session is recognised by its parent", () => {
  const started = event('subagent.start', { type: 'general' }, { ids: { session: 's', agent: 'a' } });
  const [{ event: bus }] = argsFor('event:session.created', started) as [
    { event: { type: string; properties: object } },
  ];
  expect(bus).toMatchObject({ type: 'session.created', properties: { info: { id: 'a', parentID: 's' } } });
  expect(opencode.payload.read({ name: 'event', input: { event: bus } })).toMatchObject({
    name: 'subagent.start',
    ids: { session: 's', agent: 'a' },
  });
});

test.each([
  ['event.session.created', 'session.start'],
  ['event.session.idle', 'agent.idle'],
  ['event.session.status', 'agent.start'],
  ['event.session.compacted', 'compaction.after'],
  ['event.file.edited', 'file.edited'],
  ['event.message.part.updated.tool-error', 'tool.failed'],
  ['event.message.part.updated.tool-completed', 'other'],
  ['event.message.updated', 'other'],
  ['event.message.part.updated.text', 'other'],
  ['event.command.executed', 'other'],
  ['event.permission.asked', 'other'],
  ['event.permission.replied', 'other'],
])('the recorded %s is %s', (file, name) => {
  expect(opencode.payload.read({ name: 'event', input: recorded(file) }).name).toBe(name);
});

/** Written from our events in the recorded shape: every field is present and has the right type. */
test.each([
  ['event.message.updated', 'event:message.updated', event('agent.before', { prompt: 'do it' })],
  ['event.message.part.updated.text', 'event:message.part.updated', event('agent.before', { prompt: 'x' })],
  ['event.message.part.updated.text', 'event:message.part.updated', event('model.text', { text: 'x' })],
  ['event.session.status', 'event:session.status', event('agent.idle', {})],
  [
    'event.command.executed',
    'event',
    event('other', { word: 'command.executed', body: { name: 'foo', arguments: 'bar', messageID: '' } }),
  ],
])('the recorded %s has no field that %s of ours lacks', (file, word, ours) => {
  const [said] = argsFor(word, ours);
  expect(said).toMatchObject({ event: { type: recorded(file).event!['type'] } });
  expect(kindsIn(said)).toMatchObject(kindsIn(recorded(file)) as object);
});
/** Replaces every value by its type. */
const kindsIn = (value: unknown): unknown =>
  value !== null && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, kindsIn(inner)]))
    : typeof value;

test('the answer of a turn is a message with its model, tokens and end', () => {
  const message = {
    role: 'assistant',
    content: [],
    timestamp: 7,
    model: 'm',
    usage: { input: 3, output: 2 },
    stopReason: 'stop',
  };
  const over = event('turn.end', { index: 0, message }, { ids: { session: 's' } });
  expect(argsFor('event:message.updated', over)).toMatchObject([
    {
      event: {
        type: 'message.updated',
        properties: {
          sessionID: 's',
          info: {
            role: 'assistant',
            modelID: 'm',
            time: { created: 7, completed: 7 },
            tokens: { input: 3, output: 2, reasoning: 0, cache: { read: 0, write: 0 } },
            finish: 'stop',
          },
        },
      },
    },
  ]);
});

test('each bus event of one event of ours has its own id, equal for all plugins', () => {
  const idle = event('agent.idle', {});
  const idFor = (word: string) => (argsFor(word, idle) as [{ event: { id: string } }])[0].event.id;
  const [status, done] = [idFor('event:session.status'), idFor('event:session.idle')];
  expect([status === done, status < done, idFor('event:session.idle') === done]).toEqual([false, true, true]);
});

test('todo.updated only fires for the todo tool', () => {
  const todos = [{ content: 'rest', status: 'pending' }];
  const after = event('tool.after', { tool: 'todo', input: { todos }, content: [] });
  expect(hook('event:todo.updated').match).toEqual({ kind: 'names', names: ['todowrite'] });
  expect(argsFor('event:todo.updated', after)).toMatchObject([
    { event: { type: 'todo.updated', properties: { todos } } },
  ]);
});

test('a bus event without an equivalent reaches the event hook unchanged', () => {
  const bus = { id: 'e', type: 'todo.updated', properties: { sessionID: 's', todos: [] } };
  const read = opencode.payload.read({ name: 'event', input: { event: bus } });
  expect([read.name, read.ids.session]).toEqual(['other', 's']);
  expect(argsFor('event', read)).toEqual([{ event: bus }]);
});

describe('message, time, exit code and session from the host', () => {
  const ids = { session: 's', call: 'c', message: 'm' };
  const ended = event(
    'tool.after',
    {
      tool: 'shell',
      input: { command: 'false' },
      content: [{ type: 'text', text: 'no' }],
      details: { exitCode: 1 },
      durationMs: 40,
    },
    { ids },
  );
  const busEventOf = (about: Event, word: string) =>
    (argsFor(word, about)[0] as { event: { id: string; properties: Record<string, unknown> } }).event;

  test('the payload contains the data of a finished tool', () => {
    const [input, output] = argsFor('tool.execute.after', ended);
    expect(input).toEqual({ tool: 'bash', sessionID: 's', callID: 'c', args: { command: 'false' } });
    expect(output).toEqual({
      title: '',
      output: 'no',
      metadata: { output: 'no', exit: 1, truncated: false, exitCode: 1 },
    });
    const { part } = busEventOf(ended, 'event:message.part.updated').properties;
    const { messageID, state } = part as { messageID: string; state: { time: Record<string, number> } };
    expect([messageID, state.time['end']! - state.time['start']!]).toEqual(['m', 40]);
  });

  test('a permission and the text of a message contain the id of their message', () => {
    const asked = event('tool.permission', { tool: 'shell', input: { command: 'ls' } }, { ids });
    expect(argsFor('permission.ask', asked)[0]).toMatchObject({ messageID: 'm', callID: 'c' });
    expect(busEventOf(asked, 'event:permission.asked').properties['tool']).toEqual({
      messageID: 'm',
      callID: 'c',
    });
    const text = event('model.text', { text: 'hi', part: '2' }, { ids });
    expect(argsFor('experimental.text.complete', text)[0]).toEqual({
      sessionID: 's',
      messageID: 'm',
      partID: 'prt_m_2',
    });
  });

  test('a call of a subagent has its own session', () => {
    const call = event(
      'tool.before',
      { tool: 'shell', input: {} },
      { ids: { session: 's', agent: 'a', call: 'c' } },
    );
    expect(argsFor('tool.execute.before', call)[0]).toEqual({ tool: 'bash', sessionID: 'a', callID: 'c' });
  });

  test('the session is busy and then idle, and each event has its own id', () => {
    const [busy, idle] = [event('agent.start', {}), event('agent.idle', {})].map((one) =>
      busEventOf(one, 'event:session.status'),
    );
    expect([busy!.properties['status'], idle!.properties['status']]).toEqual([
      { type: 'busy' },
      { type: 'idle' },
    ]);
    expect(busy!.id).not.toBe(idle!.id);
  });
});

test('the message of a model request names the provider', () => {
  const asked = event('model.parameters', { provider: { id: 'anthropic' }, model: { id: 'sonnet' } });
  const [input] = argsFor('chat.params', asked) as [{ message: object; provider: object }];
  expect([input.message, input.provider]).toMatchObject([
    { role: 'user', model: { providerID: 'anthropic' } },
    { id: 'anthropic' },
  ]);
});
