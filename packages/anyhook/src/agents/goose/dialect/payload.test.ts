import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { makeLexicon } from '../../../events/lexicon.ts';
import { event, SAMPLES } from '../../../testing/index.ts';
import { hook } from './fixtures/seats.ts';
import { goose } from './index.ts';
import { type GooseWord, eventOfGoose } from './names.ts';

const stdinFor = (about: Event, word: GooseWord): Fields => {
  const request = goose.payload.write(about, hook(word));
  if (request.kind !== 'command') throw new TypeError(request.kind);
  expect(request.cwd).toBe(about.scene.cwd);
  return JSON.parse(request.stdin!) as Fields;
};
const ids = { session: 'abc-123' };
const scene = { cwd: '/home/user/project' };
const here = { session_id: 'abc-123', cwd: '/home/user/project' };
const call = { tool: 'shell', input: { command: 'ls /tmp' } };
const native = { tool: 'developer__shell', args: {} };

/** The inputs of the document, word for word. */
const DOCUMENT: [GooseWord, Event, Fields][] = [
  ['SessionStart', event('session.start', {}, { ids, scene }), {}],
  [
    'UserPromptSubmit',
    event('prompt.submit', { prompt: 'list files in /tmp' }, { ids, scene }),
    { user_prompt: 'list files in /tmp' },
  ],
  [
    'PreToolUse',
    event('tool.before', { tool: 'shell', input: { command: 'rm -rf /' } }, { ids, scene, native }),
    { tool_name: 'developer__shell', tool_input: { command: 'rm -rf /' } },
  ],
  [
    'PostToolUse',
    event(
      'tool.after',
      {
        ...call,
        content: [
          { type: 'text', text: 'file1.txt' },
          { type: 'text', text: 'file2.txt' },
        ],
      },
      { ids, scene, native },
    ),
    {
      tool_name: 'developer__shell',
      tool_input: { command: 'ls /tmp' },
      tool_output: ['file1.txt', 'file2.txt'],
    },
  ],
  [
    'PostToolUseFailure',
    event(
      'tool.failed',
      { tool: 'shell', input: { command: 'invalid' }, error: 'Command not found' },
      { ids, scene, native },
    ),
    { tool_name: 'developer__shell', tool_input: { command: 'invalid' }, tool_error: 'Command not found' },
  ],
  [
    'PreCompact',
    event('compaction.before', { trigger: 'auto', messageCount: 42 }, { ids, scene }),
    { pre_compact_message_count: 42, manual_compact: false },
  ],
  [
    'PostCompact',
    event('compaction.after', { trigger: 'manual', before: 42, after: 3 }, { ids, scene }),
    { pre_compact_message_count: 42, post_compact_message_count: 3, manual_compact: true },
  ],
  ['Stop', event('turn.stop', { active: false }, { ids, scene }), { stop_hook_active: false }],
];

describe.each(DOCUMENT)('%s', (word, about, fields) => {
  test('the payload has exactly the documented fields and their later names', () => {
    const aliases: Fields = {
      event: word,
      working_dir: here.cwd,
      matcher_context: fields['tool_name'] ?? fields['user_prompt'] ?? null,
      ...('user_prompt' in fields && { prompt: fields['user_prompt'], message: fields['user_prompt'] }),
      ...('pre_compact_message_count' in fields && {
        message_count_before: 42,
        message_count: 42,
        before_count: 42,
        manual: fields['manual_compact'],
      }),
      ...('post_compact_message_count' in fields && { message_count_after: 3, after_count: 3 }),
    };
    expect(stdinFor(about, word)).toEqual({ hook_event_name: word, ...here, ...fields, ...aliases });
  });
  test('a payload with the documented fields is read', () => {
    const read = goose.payload.read({ hook_event_name: word, ...here, ...fields });
    expect([read.name, read.ids, read.scene]).toEqual([about.name, ids, scene]);
    const { tool, input } = read.payload as { tool?: string; input?: Fields };
    const said = tool === undefined ? {} : makeLexicon([goose.tools]).read(tool, input!);
    const { native: _, ...inOurs } = said as { native?: unknown };
    expect({ ...read.payload, ...inOurs }).toEqual(about.payload);
  });
});

describe('the declared events', () => {
  const rows: [GooseWord, Fields][] = [
    ['SessionEnd', { reason: 'exit' }],
    ['SubagentStart', {}],
    ['SubagentStop', { stop_hook_active: false }],
    ['Notification', { notification_type: 'idle', message: 'waiting' }],
    ['PermissionRequest', { tool_name: 'developer__shell', tool_input: { command: 'ls' } }],
    ['PreToolUseResult', { decision: 'deny', reason: 'no', policy_evaluated: true }],
    ['BeforeShellExecution', { tool_name: 'developer__shell', matcher_context: 'ls' }],
    ['AfterShellExecution', { tool_output: ['a b'], matcher_context: 'ls' }],
    ['AfterFileEdit', { tool_input: { path: '/project/a.ts' }, matcher_context: '/project/a.ts' }],
    ['TeammateIdle', {}],
    ['TaskCompleted', {}],
    ['ConfigChange', {}],
    ['ContextFill', {}],
  ];
  test.each(rows)('%s carries its fields', (word, fields) => {
    const name = eventOfGoose(word)!;
    const said = stdinFor(event(name, SAMPLES[name] as never), word);
    expect(said).toMatchObject({ hook_event_name: word, session_id: 'test', cwd: '/project', ...fields });
  });
});

describe("a tool's name", () => {
  const named = (tool: string) =>
    stdinFor(event('tool.before', call, { native: { tool, args: {} } }), 'PreToolUse')['tool_name'];
  test('the documented tool name is sent, whatever the agent calls the tool', () => {
    expect(['developer__shell', 'shell', 'Bash', 'run_command'].map(named)).toEqual([
      'developer__shell',
      'developer__shell',
      'developer__shell',
      'developer__shell',
    ]);
  });
  test('an unknown tool is sent with its own arguments', () => {
    const about = event('tool.before', { tool: 'memory__recall', input: { q: 1 } });
    expect(stdinFor(about, 'PreToolUse')).toMatchObject({
      tool_name: 'memory__recall',
      tool_input: { q: 1 },
    });
  });
  test("a tool is sent with Goose's argument names", () => {
    const about = event('tool.before', { tool: 'edit', input: { path: 'a', old: 'x', new: 'y' } });
    expect(stdinFor(about, 'PreToolUse')).toMatchObject({
      tool_name: 'edit',
      tool_input: { path: 'a', before: 'x', after: 'y' },
    });
  });
  test('a tool call includes its id', () => {
    const about = event('tool.before', call, { ids: { session: 's', call: 'c7' } });
    expect(stdinFor(about, 'PreToolUse')['tool_call_id']).toBe('c7');
  });
});

describe('every Goose version', () => {
  const rows: [string, Fields, string, Fields][] = [
    [
      'A, on the wire',
      { hook_event_name: 'PreCompact', message_count_before: 7, manual_compact: true },
      'compaction.before',
      { trigger: 'manual', messageCount: 7 },
    ],
    [
      'B, first',
      { hook_event_name: 'PreCompact', message_count: 7, manual: true },
      'compaction.before',
      { trigger: 'manual', messageCount: 7 },
    ],
    [
      'B, later',
      { hook_event_name: 'PostCompact', before_count: 7, after_count: 2, manual: false },
      'compaction.after',
      { trigger: 'auto', before: 7, after: 2 },
    ],
    [
      'A, after',
      { hook_event_name: 'PostCompact', message_count_before: 7, message_count_after: 2 },
      'compaction.after',
      { trigger: 'auto', before: 7, after: 2 },
    ],
    [
      'B, a stop',
      { hook_event_name: 'Stop', last_assistant_text: 'done' },
      'turn.stop',
      { active: false, lastMessage: 'done' },
    ],
    [
      'D, a stop',
      { event: 'Stop', last_assistant_message: 'done' },
      'turn.stop',
      { active: false, lastMessage: 'done' },
    ],
    [
      'a stop that goes on',
      { hook_event_name: 'Stop', stop_hook_active: true, reason: 'r' },
      'turn.stop',
      { active: true, reason: 'r' },
    ],
    ['D, a prompt', { event: 'UserPromptSubmit', message: 'hi' }, 'prompt.submit', { prompt: 'hi' }],
    [
      'Claude’s prompt',
      { hook_event_name: 'UserPromptSubmit', prompt: 'hi' },
      'prompt.submit',
      { prompt: 'hi' },
    ],
    [
      'B, output as text',
      { hook_event_name: 'PostToolUse', tool_name: 'x', tool_output: 'all' },
      'tool.after',
      { tool: 'x', input: {}, content: [{ type: 'text', text: 'all' }] },
    ],
    [
      'A, output as parts',
      { hook_event_name: 'PostToolUse', tool_name: 'x', tool_output: [{ type: 'image', data: '' }] },
      'tool.after',
      { tool: 'x', input: {}, content: [{ type: 'image', data: '' }] },
    ],
    [
      'arguments that are no object',
      { hook_event_name: 'PreToolUse', tool_name: 'x', tool_input: 'y' },
      'tool.before',
      { tool: 'x', input: { value: 'y' } },
    ],
    [
      'a word nobody knows',
      { hook_event_name: 'Nope', a: 1 },
      'other',
      { word: 'Nope', body: { hook_event_name: 'Nope', a: 1 } },
    ],
  ];
  test.each(rows)('a payload of any Goose version is read: %s', (_, said, name, payload) => {
    const read = goose.payload.read(said);
    expect([read.name, read.payload]).toEqual([name, payload]);
  });
  test.each([undefined, null, 7, 'text', [], {}])(
    '%j is not an event, and reading it does not throw',
    (garbage) => {
      expect(goose.payload.read(garbage).name).toBe('other');
    },
  );
});

describe('recorded payloads of Goose 1.52.0 (2026-11-15)', () => {
  const folder = join(import.meta.dirname, 'fixtures', '1.52.0');
  const files = readdirSync(folder).filter((name) => !name.startsWith('_'));
  const payloadIn = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Fields;

  test.each(files)('the recorded payload %s is read and passed to a hook unchanged', (file) => {
    const said = payloadIn(file);
    const word = said['event'] as GooseWord;
    const read = goose.payload.read(said, { PWD: '/where' });
    const isDenial = word !== 'PreToolUseResult' || said['decision'] === 'deny';
    expect([read.name, read.ids.session]).toEqual([isDenial ? eventOfGoose(word) : 'other', '<id>']);
    expect(read.scene.cwd).toBe(said['working_dir'] ?? '/where');
    if (said['tool_call_id'] !== undefined) expect(read.ids.call).toBe('<call-id>');
    const again = JSON.parse((goose.payload.write(read, hook(word)) as { stdin: string }).stdin) as Fields;
    expect(again).toMatchObject({ ...said, hook_event_name: word });
  });
  test('recorded calls are read as common tools', () => {
    const lexicon = makeLexicon([goose.tools]);
    const called = (file: string) => {
      const { tool, input } = goose.payload.read(payloadIn(file)).payload as { tool: string; input: Fields };
      const { native: _, ...said } = lexicon.read(tool, input);
      return said;
    };
    expect(['shell', 'write', 'edit', 'tree'].map((tool) => called(`PreToolUse.${tool}.json`))).toEqual([
      { tool: 'shell', input: { command: 'echo hi' } },
      { tool: 'write', input: { path: '<cwd>/a.txt', content: 'one\n' } },
      { tool: 'edit', input: { path: '<cwd>/a.txt', old: 'one', new: 'two' } },
      { tool: 'tree', input: { path: '<cwd>' } },
    ]);
  });
});

describe('payloads from Goose', () => {
  const came = {
    hook_event_name: 'PreToolUse',
    session_id: 's',
    cwd: '/c',
    tool_name: 'x',
    tool_input: { a: 1 },
    mine: [2],
  };
  test('native payloads keep their own fields, with later changes of hooks', () => {
    const read = goose.payload.read(came);
    expect(stdinFor(read, 'PreToolUse')).toEqual({ ...came, event: 'PreToolUse', working_dir: '/c' });
    const changed = { ...read, payload: { tool: 'x', input: { a: 2 } } } as Event;
    expect(stdinFor(changed, 'PreToolUse')).toMatchObject({ mine: [2], tool_input: { a: 2 } });
  });
  test('a payload of the same shape from another agent is not treated as native', () => {
    const about = event('tool.before', call, { raw: { ...came } });
    expect(stdinFor(about, 'PreToolUse')).not.toHaveProperty('mine');
  });
});

describe('an MCP tool', () => {
  const about = event('tool.before', call, { ids, scene, native });
  const bodyFor = (action: object) => {
    const request = goose.payload.write(
      about,
      hook('PreToolUse', undefined, { type: 'mcp_tool', tool: 't', ...action }),
    );
    return JSON.parse((request as { body: string }).body) as Fields;
  };
  test('an MCP tool receives its static arguments and no part of the event', () => {
    expect(bodyFor({ arguments: { a: 1 } })).toEqual({ a: 1 });
    expect(bodyFor({})).toEqual({});
  });
  test('an MCP tool receives the event if its author requested it', () => {
    expect(bodyFor({ arguments: { a: 1 }, pass_event: true })).toEqual({
      a: 1,
      event: stdinFor(about, 'PreToolUse'),
    });
    expect(Object.keys(bodyFor({ pass_event: 'payload' }))).toEqual(['payload']);
  });
});
