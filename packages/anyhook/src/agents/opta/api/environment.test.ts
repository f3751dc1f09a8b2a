/** The input of a hook: variables of section 4, stdin, the working directory, and variables that are not inherited. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { context, read, scratch } from './fixtures/scratch.ts';
import { type HookContext, type HookEvent, HookManager } from './index.ts';

/** Returns all input of a hook for one event. */
async function told(event: HookEvent, more: Partial<HookContext> = {}) {
  const cwd = scratch();
  const manager = HookManager.create([{ event, command: 'env -0 > env; cat > stdin; pwd > pwd' }]);
  await manager.fire(event, context(event, { cwd, ...more }));
  const pairs = read(cwd, 'env')
    .split('\0')
    .filter(Boolean)
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);
  const env = Object.fromEntries(pairs);
  const opta = Object.fromEntries(pairs.filter(([name]) => name.startsWith('OPTA_')));
  return { cwd, env, opta, stdin: read(cwd, 'stdin'), pwd: read(cwd, 'pwd').trim() };
}

const CALL = { tool_name: 'edit_file', tool_args: '{"path": "a.ts"}' };

describe('the variables of section 4', () => {
  test.each<[HookEvent, Partial<HookContext>, Record<string, string>]>([
    ['session.start', {}, {}],
    ['session.end', {}, {}],
    ['compact', {}, {}],
    ['tool.pre', CALL, { OPTA_TOOL_NAME: 'edit_file', OPTA_TOOL_ARGS: '{"path": "a.ts"}' }],
    [
      'tool.post',
      { ...CALL, tool_result: 'done' },
      { OPTA_TOOL_NAME: 'edit_file', OPTA_TOOL_ARGS: '{"path": "a.ts"}', OPTA_TOOL_RESULT: 'done' },
    ],
    ['error', { error_message: 'it broke' }, { OPTA_ERROR: 'it broke' }],
    ['turn.done', { turn_index: 3 }, { OPTA_TURN_INDEX: '3' }],
    ['prompt.pre', { prompt: 'say hi' }, { OPTA_PROMPT: 'say hi' }],
    ['stop', { stop_active: true }, { OPTA_STOP_ACTIVE: '1' }],
    ['stop', {}, {}],
  ])('the variables of %s %j', async (event, more, expected) => {
    const { opta, cwd } = await told(event, { ...more, model: 'm1' });
    expect(opta).toEqual({
      OPTA_EVENT: event,
      OPTA_SESSION_ID: 's1',
      OPTA_CWD: cwd,
      OPTA_MODEL: 'm1',
      ...expected,
    });
  });

  test('OPTA_MODEL is always set, and empty if the model is unknown', async () => {
    expect((await told('session.start')).env['OPTA_MODEL']).toBe('');
  });

  test('other empty values are not set', async () => {
    const { opta, cwd } = await told('tool.post', { tool_name: '', tool_args: '', tool_result: '' });
    expect(opta).toEqual({ OPTA_EVENT: 'tool.post', OPTA_SESSION_ID: 's1', OPTA_CWD: cwd, OPTA_MODEL: '' });
  });

  test('the arguments text arrives byte for byte, whether it is JSON or not', async () => {
    for (const tool_args of [
      '{ "a" : 1.0,\n"é": "\\u00e9"}',
      'no json',
      '[1,2]',
      '"text"',
      '"$(touch pwned)`x`\'',
    ]) {
      const { opta, stdin } = await told('tool.pre', { tool_name: 't', tool_args });
      expect([opta['OPTA_TOOL_ARGS'], JSON.parse(stdin).tool_args]).toEqual([tool_args, tool_args]);
    }
  });

  test('a NUL byte is replaced in variables, which cannot contain it, and kept on stdin', async () => {
    const { opta, stdin } = await told('tool.pre', {
      tool_name: 'a\0b',
      tool_args: 'x\0y',
      session_id: 's\0',
    });
    expect([opta['OPTA_TOOL_NAME'], opta['OPTA_TOOL_ARGS'], opta['OPTA_SESSION_ID']]).toEqual([
      'a\uFFFDb',
      'x\uFFFDy',
      's\uFFFD',
    ]);
    expect(JSON.parse(stdin)).toMatchObject({ tool_name: 'a\0b', tool_args: 'x\0y' });
  });

  test('stdin always contains the whole context as JSON', async () => {
    const { stdin, cwd } = await told('tool.post', { ...CALL, tool_result: 'done', model: 'm1' });
    expect(JSON.parse(stdin)).toEqual({
      event: 'tool.post',
      session_id: 's1',
      cwd,
      model: 'm1',
      ...CALL,
      tool_result: 'done',
    });
  });

  test('the command runs in the folder of the context', async () => {
    const { pwd, cwd } = await told('session.start');
    expect(pwd).toBe(cwd);
    expect(pwd).not.toBe(process.cwd());
  });

  test('the command is a line for sh', async () => {
    const { env } = await told('session.start');
    const cwd = scratch();
    const manager = HookManager.create([
      {
        event: 'compact',
        command: 'for word in a b; do echo "$word" | tr a-z A-Z >> out; done && echo "$0" >> out',
      },
    ]);
    await manager.fire('compact', context('compact', { cwd }));
    expect(read(cwd, 'out')).toMatch(/^A\nB\n.*sh\n$/);
    expect(env['PATH']).toBe(process.env['PATH']);
  });
});

describe('a result', () => {
  test('a result is cut to 2 KB', async () => {
    const { opta } = await told('tool.post', { ...CALL, tool_result: 'x'.repeat(10_000) });
    expect(opta['OPTA_TOOL_RESULT']).toBe('x'.repeat(2048));
  });

  test('a result is cut between characters, and is complete on stdin', async () => {
    for (const [shift, character] of [
      [0, '€'],
      [1, '€'],
      [2, '€'],
      [0, '😀'],
      [3, '😀'],
      [0, '\0'],
    ] as const) {
      const tool_result = 'x'.repeat(shift) + character.repeat(2048);
      const { opta, stdin } = await told('tool.post', { ...CALL, tool_result });
      const cut = opta['OPTA_TOOL_RESULT']!;
      const expected = tool_result.replaceAll('\0', '\uFFFD');
      expect(
        expected.startsWith(cut) && Buffer.byteLength(cut) <= 2048 && Buffer.byteLength(cut) > 2044,
      ).toBe(true);
      expect([...cut].at(-1)).toBe([...expected].at(-1));
      expect(JSON.parse(stdin).tool_result).toBe(tool_result);
    }
  });
});

describe('inherited variables', () => {
  /** Runs a separate program, because inherited variables are read once, when the first hook runs. */
  function inProgram(variables: Record<string, string>, event: HookEvent): Record<string, string> {
    const program = fileURLToPath(new URL('./fixtures/fire-once.mjs', import.meta.url));
    const cwd = scratch();
    const plan = { hooks: [{ event, command: 'env -0 > env' }], fire: [context(event, { cwd })] };
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...variables };
    const done = spawnSync(process.execPath, [program, JSON.stringify(plan)], { env, encoding: 'utf8' });
    expect([done.status, done.stderr]).toEqual([0, '']);
    return Object.fromEntries(
      read(cwd, 'env')
        .split('\0')
        .filter(Boolean)
        .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    );
  }

  test('a hook inherits the environment like with execa, except for variables named like secrets', () => {
    const allowed = {
      LANG: 'C',
      NODE_ENV: 'test',
      OPTA_VERBOSE: '1',
      SSH_AUTH_SOCK: '/agent',
      HTTPS_PROXY: 'x',
      VIRTUAL_ENV: '/venv',
      CI: 'true',
    };
    const secrets = {
      SECRET_API_KEY: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
      GITHUB_TOKEN: 'f',
      PGPASSWORD: 'g',
      OPTA_API_KEY: 'c',
      OPTA_ADMIN_KEY: 'd',
      OPTA_ADMIN_KEY_HOST1: 'e',
    };
    const env = inProgram({ ...allowed, ...secrets }, 'session.start');
    expect(env).toMatchObject({ ...allowed, PATH: process.env['PATH'] });
    expect(Object.keys(secrets).filter((name) => name in env)).toEqual([]);
  });

  test('variables of an outer event do not leak into a nested run', () => {
    const outer = {
      OPTA_EVENT: 'tool.post',
      OPTA_SESSION_ID: 'outer',
      OPTA_MODEL: 'outer',
      OPTA_TOOL_NAME: 'outer',
      OPTA_TOOL_ARGS: '{}',
      OPTA_TOOL_ARGS_TRUNCATED: '1',
      OPTA_TOOL_RESULT: 'outer',
      OPTA_PAYLOAD_FILE: '/outer',
      OPTA_ERROR: 'outer',
      OPTA_TURN_INDEX: '7',
      OPTA_PROMPT: 'outer',
      OPTA_STOP_ACTIVE: '1',
    };
    const env = inProgram(outer, 'compact');
    const opta = Object.entries(env).filter(([name]) => name.startsWith('OPTA_'));
    expect(Object.fromEntries(opta)).toEqual({
      OPTA_EVENT: 'compact',
      OPTA_SESSION_ID: 's1',
      OPTA_CWD: env['PWD'],
      OPTA_MODEL: '',
    });
  });
});
