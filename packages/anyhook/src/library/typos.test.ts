/** Mistakes that a program makes without a type checker are reported at the call. */

import { describe, expect, test } from 'vitest';
import { createHooks, findMcpServers } from '../index.ts';
import { ground, host } from './fixtures/ground.ts';

const open = (options = {}) => ground().open({ settings: false, journal: false, ...options });

describe('invalid input', () => {
  const TYPOS: readonly (readonly [object, string])[] = [
    [{ paylod: { tool: 'shell', input: {} } }, 'unknown key \'paylod\'. Did you mean "payload"?'],
    [{ payload: 'ls' }, 'payload is a string ("ls"), an object is expected.'],
    [{ payload: { tool: 'x' }, ids: 's1' }, 'ids is a string ("s1"), { session } is expected.'],
    [
      { payload: { tool: 'x' }, ids: { sesion: 's1' } },
      'ids: unknown key \'sesion\'. Did you mean "session"?',
    ],
    [
      { payload: { tool: 'x' }, signal: new AbortController() },
      'signal is not an AbortSignal. Pass the signal of the AbortController.',
    ],
  ];
  test.each(TYPOS)('fire and plan reject %o', async (typo, said) => {
    const hooks = await open({ hooks: { 'tool.before': () => undefined } });
    const input = { name: 'tool.before', ...typo } as never;
    await expect(hooks.fire(input)).rejects.toThrow(new TypeError(`hooks.fire: ${said}`));
    expect(() => hooks.plan(input)).toThrow(new TypeError(`hooks.plan: ${said}`));
  });

  test('plan rejects a misspelled event name', async () => {
    const { plan } = await open();
    expect(() => plan({ name: 'tool.befor', payload: {} } as never)).toThrow(
      new TypeError('hooks.plan: unknown event \'tool.befor\'. Did you mean "tool.before"?'),
    );
    expect(() => plan(undefined as never)).toThrow('hooks.plan: the event has no name.');
  });
});

test('wrapTool rejects a tool without a name, a function, or arguments by name', async () => {
  const { wrapTool } = await open();
  const wrap = wrapTool as (tool?: unknown) => { execute(input: unknown): Promise<unknown> };
  const nameless = "wrapTool: the tool has no name. Write wrapTool({ name: 'shell', execute }).";
  for (const tool of [undefined, 'shell', () => {}, { execute() {} }])
    expect(() => wrap(tool)).toThrow(new TypeError(nameless));
  expect(() => wrap({ name: 'shell', run() {} })).toThrow(
    new TypeError('wrapTool: shell has no function "execute". Write wrapTool({ name, execute }).'),
  );
  let ran = 0;
  const shell = wrap({ name: 'shell', execute: () => (ran += 1) });
  await expect(shell.execute('rm -rf /')).rejects.toThrow(
    new TypeError(
      'wrapTool: shell is called with a string, an object is expected. Hooks look for arguments by name.',
    ),
  );
  expect([ran, await shell.execute({}), await shell.execute(undefined)]).toEqual([0, 1, 2]);
});

test('closed hooks accept no new hooks and do not reopen on reload', async () => {
  const hooks = await open();
  await hooks.close();
  const closed = 'the hooks are closed. Open others with createHooks.';
  expect(() => hooks.on('tool.before', () => undefined)).toThrow(`hooks.on: ${closed}`);
  await expect(hooks.reload()).rejects.toThrow(`hooks.reload: ${closed}`);
});

test('an unknown dialect name in without is a problem', async () => {
  const { problems } = await createHooks({
    host,
    journal: false,
    home: ground().home,
    settings: { without: ['goos', 'goose@/x/'] },
  });
  expect(problems.map(({ message, remedy }) => [message, remedy])).toEqual([
    ['no dialect is called "goos".', 'Did you mean "goose"?'],
  ]);
});

test('findMcpServers reports a typo in its options', async () => {
  const find = findMcpServers as (options?: unknown) => Promise<unknown>;
  await expect(find()).rejects.toThrow(new TypeError('findMcpServers: wants an object: { cwd, own }.'));
  await expect(find({ cwdd: '.' })).rejects.toThrow(
    new TypeError('findMcpServers: cwdd: is not an option. Did you mean "cwd"?'),
  );
});
