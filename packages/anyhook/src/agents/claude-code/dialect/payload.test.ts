import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { EVENT_NAMES, rowOf } from '../../../events/events.ts';
import { makeLexicon } from '../../../events/lexicon.ts';
import { makeEventOf } from '../../../library/event-of.ts';
import { event } from '../../../testing/index.ts';
import { COMMON_PAYLOAD_FIELDS } from './event-row.ts';
import { type ClaudeWord, CLAUDE_WORDS, claudeEvent } from './events.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { claudeCode } from './index.ts';

const FOLDER = join(import.meta.dirname, 'fixtures/recorded');
const recorded = readdirSync(FOLDER)
  .filter((name) => !name.startsWith('_'))
  .map((name) => [name, JSON.parse(textOf(name)) as Fields] as const);
function textOf(name: string): string {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  return text.replaceAll('<cwd>', '/app').replaceAll('<home>', '/home/somebody');
}

const { read, write } = claudeCode.payload;
const toldTo = (event: Event, word: ClaudeWord): Fields => {
  const request = write(event, hookFor(word));
  return JSON.parse(request.kind === 'command' ? request.stdin! : '{}') as Fields;
};
/** Converts a read payload to our event like the library does, with our tool names. */
const canonical = makeEventOf({ cwd: '/project', lexicon: makeLexicon([claudeCode.tools]) });

describe('recorded payloads of Claude Code 2.1.325', () => {
  test('there are about thirty recorded payloads', () => expect(recorded.length).toBeGreaterThan(30));

  test.each(recorded)('the recorded payload %s has the fields of the table', (_, native) => {
    const word = native['hook_event_name'] as ClaudeWord;
    const known = [...COMMON_PAYLOAD_FIELDS, ...claudeEvent(word).payload];
    const names = known.map((field) => field.replace('?', ''));
    expect(Object.keys(native).filter((key) => !names.includes(key))).toEqual([]);
    expect(known.filter((field) => !field.endsWith('?') && !Object.hasOwn(native, field))).toEqual([]);
  });

  test.each(recorded)(
    'the recorded payload %s is read as our event and written back unchanged',
    (_, native) => {
      const word = native['hook_event_name'] as ClaudeWord;
      const heard = read(native);
      expect([heard.name, heard.ids.session, heard.scene.cwd]).toEqual([
        claudeEvent(word).on,
        native['session_id'],
        native['cwd'],
      ]);
      expect(toldTo(heard, word)).toEqual(native);
      const { name, payload, ids, scene, raw } = heard;
      expect(toldTo(canonical({ name, payload, ids, scene, raw } as never), word)).toEqual(native);
    },
  );

  test.each(recorded)('another host writes the recorded payload %s with the same fields', (_, native) => {
    const word = native['hook_event_name'] as ClaudeWord;
    const { raw: _raw, ...foreign } = read(native);
    const told = toldTo(foreign as Event, word);
    const needed = [...COMMON_PAYLOAD_FIELDS, ...claudeEvent(word).payload].filter(
      (field) => !field.endsWith('?'),
    );
    expect(needed.filter((field) => !Object.hasOwn(told, field))).toEqual([]);
    const sure = [
      'session_id',
      'cwd',
      'hook_event_name',
      'tool_name',
      'tool_input',
      'prompt',
      'trigger',
      'agent_type',
    ];
    for (const key of sure) expect(told[key], key).toEqual(native[key]);
  });
});

describe('payloads for hooks', () => {
  const shell = { tool: 'shell', input: { command: 'ls', background: true } };

  test("a tool call of any agent is written with Claude Code's names", () => {
    const told = toldTo(event('tool.before', shell, { ids: { session: 's', call: 'c1' } }), 'PreToolUse');
    expect(told).toEqual({
      session_id: 's',
      transcript_path: '',
      cwd: '/project',
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'ls', run_in_background: true },
      tool_use_id: 'c1',
    });
  });

  test('file paths are always absolute', () => {
    const about = event('tool.before', { tool: 'write', input: { path: 'src/a.ts', content: 'x' } });
    expect(toldTo(about, 'PreToolUse')['tool_input']).toEqual({
      file_path: '/project/src/a.ts',
      content: 'x',
    });
  });

  test('a permission request has no call id', () => {
    const about = event('tool.permission', shell, { ids: { session: 's', call: 'c1' } });
    expect(Object.hasOwn(toldTo(about, 'PermissionRequest'), 'tool_use_id')).toBe(false);
  });

  test('a tool result has the shape that scripts expect', () => {
    const content = [{ type: 'text', text: 'a\nb' }];
    const after = (tool: string, input: Fields) =>
      toldTo(event('tool.after', { tool, input, content }), 'PostToolUse')['tool_response'];
    expect(after('shell', { command: 'ls' })).toMatchObject({
      stdout: 'a\nb',
      stderr: '',
      interrupted: false,
    });
    expect(after('read', { path: 'x' })).toEqual({
      type: 'text',
      file: { filePath: '/project/x', content: 'a\nb' },
    });
    expect(after('write', { path: '/x', content: 'y' })).toMatchObject({ filePath: '/x', content: 'y' });
    expect(after('edit', { path: '/x', old: 'a', new: 'b' })).toMatchObject({
      oldString: 'a',
      newString: 'b',
    });
    expect(after('mcp__s__t', {})).toBe('a\nb');
  });

  test('a long error is shortened in the middle', () => {
    const error = `Exit code 1\n${'x'.repeat(20_000)}end`;
    const told = toldTo(event('tool.failed', { tool: 'shell', input: {}, error }), 'PostToolUseFailure')[
      'error'
    ] as string;
    expect([told.length < 10_100, told.startsWith('Exit code 1\n'), told.endsWith('xend')]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('a payload contains earlier changes', () => {
    const heard = read(recorded.find(([name]) => name === 'PreToolUse.Bash.json')![1]);
    const changed = { ...heard, payload: { tool: 'Bash', input: { command: 'echo changed' } } } as Event;
    expect(toldTo(changed, 'PreToolUse')).toEqual({
      ...(heard.raw as Fields),
      tool_input: { command: 'echo changed' },
    });
  });

  test('a native event is written with its body unchanged', () => {
    const body = { tool_calls: [{ tool_name: 'Bash' }], extra: 1 };
    expect(toldTo(event('other', { word: 'PostToolBatch', body }), 'PostToolBatch')).toMatchObject(body);
  });

  test.each(CLAUDE_WORDS)('%s: every host can write it', (word) => {
    const { on } = claudeEvent(word);
    const told = toldTo(event(on, { word, body: {} } as never), word);
    expect([told['hook_event_name'], told['session_id']]).toEqual([word, 'test']);
  });

  test('commands also receive variables', () => {
    const request = write(
      event(
        'session.start',
        { source: 'startup' },
        { raw: { hook_event_name: 'SessionStart', effort: { level: 'high' } } },
      ),
      hookFor('SessionStart'),
    );
    expect(request).toMatchObject({
      kind: 'command',
      env: {
        CLAUDECODE: '1',
        CLAUDE_CODE_CHILD_SESSION: '1',
        CLAUDE_CODE_SESSION_ID: 'test',
        CLAUDE_EFFORT: 'high',
        CLAUDE_PROJECT_DIR: '/project',
      },
      files: { CLAUDE_ENV_FILE: '' },
      exports: 'CLAUDE_ENV_FILE',
    });
    expect(hookFor('Stop').run).toMatchObject({ env: ['*', '!OTEL_*'] });
    expect('files' in write(event('turn.stop', { active: false }), hookFor('Stop'))).toBe(false);
  });

  test('every recorded variable is set, or belongs to a running Claude Code', () => {
    const seen = JSON.parse(readFileSync(join(FOLDER, '_environment.json'), 'utf8')) as Record<
      string,
      string[]
    >;
    const theirs =
      /^CLAUDE_(PID|CODE_(ENTRYPOINT|SESSION_ATTENDED|MESSAGING_SOCKET|DISABLE_NONESSENTIAL_TRAFFIC))$/;
    const raw = { hook_event_name: 'SessionStart', effort: { level: 'low' } };
    for (const [word, names] of Object.entries(seen)) {
      const request = write(
        event(claudeEvent(word as ClaudeWord).on, {} as never, { raw }),
        hookFor(word as ClaudeWord),
      );
      const given = request.kind === 'command' ? { ...request.env, ...request.files } : {};
      const missing = names.filter((name) => !Object.hasOwn(given, name) && !theirs.test(name));
      expect(missing, word).toEqual([]);
    }
    expect(Object.keys(seen).length).toBeGreaterThan(5);
  });

  test('an MCP tool receives the event fields that its input references, as text, and nothing is expanded twice', () => {
    const hook = hookFor('PreToolUse', {
      type: 'mcp_tool',
      server: 's',
      tool: 't',
      input: {
        cmd: '<${tool_input.command}>',
        all: '${tool_input}',
        deep: ['${cwd}', 3],
        none: '${nope.x}',
        p: '${__proto__.a}',
      },
    });
    const request = write(event('tool.before', { tool: 'shell', input: { command: 'echo ${cwd}' } }), hook);
    expect(request).toEqual({
      kind: 'send',
      body: JSON.stringify({
        cmd: '<echo ${cwd}>',
        all: '{"command":"echo ${cwd}"}',
        deep: ['/project', 3],
        none: '',
        p: '',
      }),
    });
  });
});

describe('payloads from an agent', () => {
  test('an event newer than the table is passed through unchanged', () => {
    const native = { hook_event_name: 'BrandNew', session_id: 's', cwd: '/x', a: 1 };
    expect(read(native)).toMatchObject({ name: 'other', payload: { word: 'BrandNew', body: native } });
  });

  test.each([[null], [[]], ['text'], [{}], [{ hook_event_name: 7 }], [{ hook_event_name: '' }]])(
    '%j names no event and is rejected',
    (native) => expect(() => read(native)).toThrow('"hook_event_name" is missing'),
  );

  test.each(CLAUDE_WORDS)('%s: fields of the wrong type are accepted', (word) => {
    const odd = Object.fromEntries(claudeEvent(word).payload.map((field) => [field.replace('?', ''), 7]));
    const heard = read({ hook_event_name: word, session_id: 7, cwd: [], ...odd });
    expect(EVENT_NAMES).toContain(heard.name);
    expect(rowOf(heard.name)).toBeDefined();
    expect(() => toldTo({ ...heard, raw: undefined }, word)).not.toThrow();
  });
});
