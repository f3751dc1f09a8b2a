import { expect, test } from 'vitest';
import type { CommandRequest } from '../../events/exchange.ts';
import type { WayOf } from '../../events/hook.ts';
import { environment, environmentText } from './environment.ts';

const way = (more: Partial<WayOf<'command'>> = {}): WayOf<'command'> => ({
  kind: 'command',
  run: { line: 'true' },
  env: 'inherit',
  ...more,
});
const request = (env: Record<string, string> = {}): CommandRequest => ({ kind: 'command', cwd: '/', env });
const session = { PATH: '/bin', HOME: '/root', LC_ALL: 'C', LC_TIME: 'C', SECRET: 's', GONE: undefined };

test('inherit passes all variables of the session', () => {
  expect(environment(way(), request(), session)).toEqual({
    env: { PATH: '/bin', HOME: '/root', LC_ALL: 'C', LC_TIME: 'C', SECRET: 's' },
    unset: [],
  });
});

test('a list passes only its names and what its wildcards match', () => {
  expect(environment(way({ env: ['PATH', 'LC_*', 'SECRE'] }), request(), session).env).toEqual({
    PATH: '/bin',
    LC_ALL: 'C',
    LC_TIME: 'C',
  });
});

test('a name with an exclamation mark is excluded, wherever it is in the list', () => {
  const env = ['!LC_TIME', '*', '!SEC*'];
  expect(environment(way({ env }), request(), session).env).toEqual({
    PATH: '/bin',
    HOME: '/root',
    LC_ALL: 'C',
  });
  expect(environment(way({ env }), request({ SECRET: 'given' }), session).env['SECRET']).toBe('given');
  expect(environment(way({ env: ['PATH', '!Path'] }), request(), { PATH: 'a' }, 'win32').env).toEqual({});
});

test("the hook's variables override the session's, and the request's override both", () => {
  const laid = environment(
    way({ env: ['PATH'], set: { PATH: '/hook', A: 'hook', B: 'hook' } }),
    request({ B: 'request', C: 'request' }),
    session,
  );
  expect(laid.env).toEqual({ PATH: '/hook', A: 'hook', B: 'request', C: 'request' });
});

test('omits and reports variables that an environment cannot hold', () => {
  const laid = environment(way({ env: [] }), request({ GOOD: 'x', BAD: 'a\0b', 'NA=ME': 'x', '': 'x' }), {});
  expect(laid).toEqual({ env: { GOOD: 'x' }, unset: ['BAD', 'NA=ME', ''] });
});

test('a variable called __proto__ is an ordinary variable', () => {
  const laid = environment(way({ env: [] }), request(JSON.parse('{"__proto__":"x"}')), {});
  expect(Object.entries(laid.env)).toEqual([['__proto__', 'x']]);
});

test('the mark of an outer run passes any list and cannot be set', () => {
  const laid = environment(way({ env: [] }), request({ ANYHOOK_RUN: 'mine' }), { ANYHOOK_RUN: 'outer-1/' });
  expect(laid.env).toEqual({ ANYHOOK_RUN: 'outer-1/' });
});

test('a variable has only one spelling on Windows, the last', () => {
  const laid = environment(way({ env: ['path'] }), request({ PATH: 'b' }), { Path: 'a' }, 'win32');
  expect(laid.env).toEqual({ PATH: 'b' });
});

test.each<
  [string, Record<string, string | undefined>, Record<string, string> | undefined, Record<string, string>]
>([
  ['no variables of the request', {}, undefined, {}],
  ['none that are new', {}, {}, {}],
  ['one that is new, one that replaces', { A: '1', B: '2' }, { B: '"3"', C: '4' }, {}],
  ['nothing below', {}, { A: '1' }, {}],
  ['nothing but what the hook sets', {}, {}, { OWN: 'x' }],
  ['one that is not set', { A: '1' }, { A: undefined as unknown as string }, {}],
  ['one that no environment holds', { A: '1' }, { A: 'a\0b', B: '2' }, {}],
  ['a mark of its own', { A: '1', ANYHOOK_RUN: 'outer' }, { ANYHOOK_RUN: 'own' }, {}],
])('serialises the merged environment: %s', (_title, below, above, set) => {
  const hook = way({ set });
  const asked: CommandRequest = { kind: 'command', cwd: '/', ...(above && { env: above }) };
  for (let i = 0; i < 2; i++) {
    const { env } = environment(hook, asked, below, 'linux');
    expect(JSON.parse(environmentText(env))).toEqual(env);
  }
});
