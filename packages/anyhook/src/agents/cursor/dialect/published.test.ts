/** Payloads from Cursor's published documents, and the answers they describe. None was observed in a real run. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { outcome as said } from '../../../testing/outcome.ts';
import { hookFor, PLACE } from './fixtures/hook-for.ts';
import { cursor } from './index.ts';

const FOLDER = join(import.meta.dirname, 'fixtures/published');
const WORDS = readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''));
const at = (word: string): Fields => JSON.parse(readFileSync(join(FOLDER, `${word}.json`), 'utf8')) as Fields;
const read = (word: string): Event => cursor.payload.read(at(word));
const told = (event: Event, word: string): Fields => {
  const request = cursor.payload.write(event, hookFor(word));
  return request.kind === 'command' ? (JSON.parse(request.stdin!) as Fields) : {};
};
const exited = (stdout: object) => ({
  kind: 'exited',
  code: 0,
  stdout: `${JSON.stringify(stdout)}\n`,
  stderr: '',
});

test.each(WORDS)('the published payload %s is read as an event with session and project', (word) => {
  const { name, ids, scene } = read(word);
  expect([name === 'other', ids.session, scene.cwd]).toEqual([false, 'c-1', '/project']);
});

test.each(WORDS.filter((word) => !/^before(?:Shell|MCP|Read)/.test(word)))(
  'the published payload %s is passed to a hook of its event unchanged',
  (word) => expect(told(read(word), word)).toMatchObject(at(word)),
);

test.each([
  ['beforeShellExecution', 'Shell', { command: 'npm install express' }],
  ['beforeMCPExecution', 'MCP:database_query', { query: 'SELECT 1' }],
  ['beforeReadFile', 'Read', { file_path: '/project/.env' }],
])('the published payload %s is read as its call', (word, tool, input) => {
  expect([read(word).name, read(word).payload]).toEqual(['tool.before', { tool, input }]);
});

test("a hook for a specific event receives another agent's call in that event's fields, and does not run for other tools", () => {
  const call = read('preToolUse');
  expect(told(call, 'beforeShellExecution')).toMatchObject({
    hook_event_name: 'beforeShellExecution',
    conversation_id: 'c-1',
    command: 'npm install',
    cwd: '/project',
  });
  expect(hookFor('beforeShellExecution').match).toEqual({ kind: 'names', names: ['Shell'] });
  const { when } = hookFor('beforeShellExecution', { command: 'true', matcher: 'curl|wget ' });
  expect([
    when?.(call),
    when?.({ ...call, payload: { tool: 'Shell', input: { command: 'wget x' } } } as Event),
  ]).toEqual([false, true]);
});

test('a stop that was resumed before is recognised by its count', () => {
  expect(read('stop').payload).toMatchObject({ active: true });
});

describe('an answer for Cursor', () => {
  const no = (event: Event) => said(event, { verdict: 'deny', reasons: [{ by: 'h', text: 'no rm' }] });

  test('a refusal has a message for the user and one for the model', () => {
    const call = read('preToolUse');
    expect(cursor.output.write(no(call), call)).toEqual(
      exited({ permission: 'deny', user_message: 'no rm', agent_message: 'no rm' }),
    );
    const prompt = read('beforeSubmitPrompt');
    expect(cursor.output.write(no(prompt), prompt)).toEqual(
      exited({ continue: false, user_message: 'no rm' }),
    );
  });

  test('a change, context and a resumed stop are written', () => {
    const call = read('preToolUse');
    const payload = { tool: 'Shell', input: { command: 'ls' } };
    const change = said(call, { payload, changed: [{ by: 'h', at: 'input.command' }] });
    expect(cursor.output.write(change, call)).toEqual(
      exited({ permission: 'allow', updated_input: { command: 'ls' } }),
    );
    const start = read('sessionStart');
    const context = said(start, { said: [{ by: 'h', to: 'model', text: 'know this' }] });
    expect(cursor.output.write(context, start)).toEqual(exited({ additional_context: 'know this' }));
    const stop = read('stop');
    const more = said(stop, {
      flow: { resume: 'run the tests' },
      reasons: [{ by: 'h', text: 'run the tests' }],
    });
    expect(cursor.output.write(more, stop)).toEqual(exited({ followup_message: 'run the tests' }));
  });
});

describe('a Cursor hook', () => {
  const answer = (word: string, stdout: object, code = 0) =>
    cursor.output.read(
      { kind: 'exited', code, stdout: JSON.stringify(stdout), stderr: 'why' },
      read(word),
      hookFor(word),
    );

  test('a Cursor hook refuses, asks, changes and resumes in the fields of Cursor', () => {
    expect([
      answer('beforeShellExecution', { permission: 'deny', agent_message: 'no' }),
      answer('preToolUse', { permission: 'ask', user_message: 'sure?' }),
      answer('beforeSubmitPrompt', { continue: false, user_message: 'not so' }),
      answer('stop', { followup_message: 'run the tests' }),
      answer('sessionStart', { additional_context: 'know this' }),
      answer('preToolUse', {}, 2),
    ]).toEqual([
      { effects: [{ kind: 'deny', reason: 'no' }] },
      { effects: [{ kind: 'ask', reason: 'sure?' }] },
      { effects: [{ kind: 'deny', reason: 'not so' }] },
      { effects: [{ kind: 'resume', reason: 'run the tests' }] },
      { effects: [{ kind: 'context', text: 'know this' }] },
      { effects: [{ kind: 'deny', reason: 'why' }] },
    ]);
    expect(
      answer('preToolUse', {
        permission: 'allow',
        updated_input: { command: 'ls', working_directory: '/project' },
      }).effects,
    ).toMatchObject([{ kind: 'allow' }, { kind: 'set' }]);
  });

  test.each(['preToolUse', 'beforeSubmitPrompt'])(
    'a Cursor hook that refuses with a field that Cursor does not read is not ignored (%s)',
    (word) => {
      const { failed, effects } = answer(word, { decision: 'deny', reason: 'no' });
      expect([failed?.kind, effects]).toEqual(['unreadable', []]);
    },
  );

  test('a user hook runs in the folder of its file, and may fail closed', () => {
    const user = { layer: 'user', file: '/home/me/.cursor/hooks.json' } as const;
    const text = JSON.stringify({
      version: 1,
      hooks: { stop: [{ command: './hooks/x.sh', failClosed: true, loop_limit: null, timeout: 5 }] },
    });
    const [own] = cursor.config.read(text, user).hooks;
    const { hooks, problems } = cursor.config.read(text, PLACE);
    expect([own?.run, hooks[0]?.run, own?.onFailure, own?.timeoutMs, problems]).toEqual([
      { kind: 'command', run: { line: './hooks/x.sh' }, env: 'inherit', cwd: '/home/me/.cursor' },
      { kind: 'command', run: { line: './hooks/x.sh' }, env: 'inherit' },
      'block',
      5000,
      [],
    ]);
  });
});

test.each([
  [
    'user_message and agent_message',
    { user_message: 'for you', agent_message: 'for the model' },
    'for the model',
  ],
  [
    'userMessage and agentMessage',
    { userMessage: 'for you', agentMessage: 'for the model' },
    'for the model',
  ],
  ['userMessage alone', { userMessage: 'for you' }, 'for you'],
  ['both spellings', { agentMessage: 'old', agent_message: 'documented' }, 'documented'],
])('a refusal with %s keeps its reason', (_, messages, reason) => {
  const reply = exited({ permission: 'deny', ...messages }) as never;
  const { effects } = cursor.output.read(reply, read('preToolUse'), hookFor('preToolUse'));
  expect(effects).toMatchObject([{ kind: 'deny', reason }]);
});

test('a refused prompt keeps the reason in userMessage', () => {
  const reply = exited({ continue: false, userMessage: 'not this prompt' }) as never;
  const { effects } = cursor.output.read(reply, read('beforeSubmitPrompt'), hookFor('beforeSubmitPrompt'));
  expect(effects).toMatchObject([{ kind: 'deny', reason: 'not this prompt' }]);
});

test('a hook receives the version of the running Cursor, and the documented version in other agents', () => {
  const environment = (event: Event) => {
    const request = cursor.payload.write(event, hookFor('beforeShellExecution'));
    return request.kind === 'command' ? request.env?.['CURSOR_VERSION'] : undefined;
  };
  const inCursor = cursor.payload.read({ ...at('beforeShellExecution'), cursor_version: '3.1.0' });
  const elsewhere: Event = { ...inCursor, raw: {} };
  expect(told(inCursor, 'beforeShellExecution')['cursor_version']).toBe('3.1.0');
  expect([environment(inCursor), environment(elsewhere)]).toEqual(['3.1.0', '2.4.0']);
  expect(told(elsewhere, 'beforeShellExecution')['cursor_version']).toBe('2.4.0');
});
