import { describe, expect, test } from 'vitest';
import type { Event } from '../../../events/event.ts';
import { outcome } from '../../../testing/outcome.ts';
import { hookFromEntry } from './definition.ts';
import { opta } from './index.ts';
import type { OptaEvent } from './names.ts';

const hook = (event: OptaEvent) =>
  hookFromEntry({ event, command: 'true' }, { layer: 'user', file: 'config.json', index: 0, line: 1 });
const event = (more: Partial<Event>): Event =>
  ({
    name: 'tool.before',
    payload: {},
    ids: { session: 's' },
    scene: { cwd: '/p' },
    round: 1,
    ...more,
  }) as Event;
const told = (about: Event, word: OptaEvent) => {
  const request = opta.payload.write(about, hook(word));
  return request.kind === 'command' ? JSON.parse(request.stdin ?? '') : request;
};

describe('writing', () => {
  test("a tool is written with Opta's name; a tool that Opta lacks keeps the host's name", () => {
    const shell = event({
      payload: { tool: 'shell', input: { command: 'ls' } },
      native: { tool: 'Bash', args: {} },
      raw: { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } },
    });
    expect(told(shell, 'tool.pre')).toMatchObject({
      tool_name: 'run_command',
      tool_args: '{"command":"ls"}',
    });
    const grep = event({
      payload: { tool: 'grep', input: { pattern: 'x', path: 'a' } },
      native: { tool: 'Grep', args: { path: 'folder' } },
    });
    expect(told(grep, 'tool.pre')).toMatchObject({
      tool_name: 'Grep',
      tool_args: '{"pattern":"x","folder":"a"}',
    });
  });

  test('the text of an Opta program is passed on unchanged until a hook changes it', () => {
    const raw = {
      event: 'tool.pre',
      session_id: 's',
      cwd: '/p',
      tool_name: 'run_command',
      tool_args: '{ "command" : "ls" }',
    };
    const came = opta.payload.read(raw);
    expect(told(came, 'tool.pre')).toEqual(raw);
    const changed = { ...came, payload: { tool: 'run_command', input: { command: 'ls -l' } } } as Event;
    expect(told(changed, 'tool.pre')).toEqual({ ...raw, tool_args: '{"command":"ls -l"}' });
  });

  test('a result contains its text parts', () => {
    const content = [{ type: 'text', text: 'a' }, 'b', { type: 'image', data: 'x' }, null];
    expect(
      told(event({ name: 'tool.after', payload: { tool: 't', input: {}, content } }), 'tool.post')
        .tool_result,
    ).toBe('ab');
  });

  test('an event is converted once for any number of hooks', () => {
    const about = event({ payload: { tool: 't', input: {} } });
    const [one, two] = [
      opta.payload.write(about, hook('tool.pre')),
      opta.payload.write(about, hook('tool.pre')),
    ];
    expect(one.kind === 'command' && two.kind === 'command' && one.env === two.env).toBe(true);
  });
});

describe('reading', () => {
  test('variables alone are read as an event too', () => {
    const env = {
      OPTA_EVENT: 'tool.post',
      OPTA_SESSION_ID: 's',
      OPTA_CWD: '/p',
      OPTA_MODEL: 'm',
      OPTA_TOOL_NAME: 'edit_file',
      OPTA_TOOL_ARGS: '{"path":"a"}',
      OPTA_TOOL_RESULT: 'ok',
    };
    expect(opta.payload.read(undefined, env)).toMatchObject({
      name: 'tool.after',
      payload: { tool: 'edit_file', input: { path: 'a' }, content: [{ type: 'text', text: 'ok' }] },
      ids: { session: 's' },
      scene: { cwd: '/p', model: 'm' },
    });
    expect(opta.payload.read(undefined, { OPTA_EVENT: 'turn.done', OPTA_TURN_INDEX: '3' }).payload).toEqual({
      index: 3,
    });
    expect(opta.payload.read(undefined, { OPTA_EVENT: 'stop', OPTA_STOP_ACTIVE: '1' }).payload).toEqual({
      active: true,
    });
  });

  test.each([
    ['{"a":1}', { a: 1 }],
    ['', {}],
    ['[1]', { value: [1] }],
    ['null', { value: null }],
    ['no json', { text: 'no json' }],
    [{ a: 1 }, { a: 1 }], // a program that passes the object itself
  ])('arguments %j become the input %j, so that a guard sees everything', (tool_args, input) => {
    const { payload } = opta.payload.read({ event: 'tool.pre', tool_name: 't', tool_args });
    expect(payload).toEqual({ tool: 't', input });
  });

  test.each([{}, { event: 'tool.per' }, { event: '__proto__' }, { event: 'constructor' }])(
    '%j is not an event and is rejected',
    (said) => {
      expect(() => opta.payload.read(said)).toThrow(/^not an Opta event: .*known are session\.start, /);
    },
  );
});

describe('answering an Opta agent', () => {
  const about = event({ payload: { tool: 'shell', input: { command: 'ls' } } });
  test('no objection is exit 0 without output', () => {
    expect(opta.output.write(outcome(about), about)).toEqual({
      kind: 'exited',
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  test('a refusal is exit 1 with the reason on stderr for version 3, and JSON for version 4', () => {
    const reasons = [
      { by: 'a', text: 'one' },
      { by: 'b', text: '' },
      { by: 'c', text: 'two' },
    ];
    expect(opta.output.write(outcome(about, { verdict: 'deny', reasons }), about)).toEqual({
      kind: 'exited',
      code: 1,
      stdout: '{"decision":"deny","reason":"one\\ntwo"}',
      stderr: 'one\ntwo',
    });
  });

  test('a change contains the whole input', () => {
    const changed = outcome(about, {
      payload: { tool: 'shell', input: { command: 'ls -l' } },
      changed: [{ by: 'a', at: 'input.command' }],
    });
    expect(opta.output.write(changed, about)).toMatchObject({
      code: 0,
      stdout: '{"updatedInput":{"command":"ls -l"}}',
    });
  });
});
