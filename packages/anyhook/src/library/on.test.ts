/** Hooks that are added and removed while the program runs, and unknown event names. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { context, createHooks, defineHook, deny, notice } from '../index.ts';
import { before, ground, host, shell, USER } from './fixtures/ground.ts';

const open = (options = {}) => ground().open({ settings: false, journal: false, ...options });
const texts = ({ reasons }: { reasons: readonly { text: string }[] }) => reasons.map(({ text }) => text);

describe('a hook that is registered', () => {
  test('an added hook is called from the next fire on, until it is removed', async () => {
    const hooks = await open();
    const seen = [[hooks.wants['tool.before'], (await hooks.fire(shell('ls'))).verdict]];
    const off = hooks.on('tool.before', () => deny('not now'));
    seen.push([hooks.wants['tool.before'], (await hooks.fire(shell('ls'))).verdict]);
    off();
    seen.push([hooks.wants['tool.before'], (await hooks.fire(shell('ls'))).verdict]);
    expect(seen).toEqual([
      [false, 'none'],
      [true, 'deny'],
      [false, 'none'],
    ]);
  });

  test('removing an added hook twice removes no other hook', async () => {
    const hooks = await open();
    const guard = () => deny('twice');
    const [first] = [hooks.on('tool.before', guard), hooks.on('tool.before', guard)];
    first();
    first();
    expect(hooks.hooks).toHaveLength(1);
    expect((await hooks.fire(shell('ls'))).verdict).toBe('deny');
  });

  test('an added hook may have a matcher, a name and every other field of a definition', async () => {
    const hooks = await open();
    hooks.on('tool.before', { match: 'shell', name: 'no shell', run: () => deny('no') });
    const read = { name: 'tool.before', payload: { tool: 'read', input: { path: 'x' } } } as const;
    expect([(await hooks.fire(shell('ls'))).verdict, (await hooks.fire(read)).unmatched]).toEqual([
      'deny',
      ['no shell'],
    ]);
  });

  test('an added hook runs after the hooks of the options, in order of registration, with a distinct id', async () => {
    const hooks = await open({
      hooks: [defineHook({ on: 'tool.before', name: 'same', run: () => undefined })],
    });
    hooks.on('tool.before', { name: 'same', run: () => undefined });
    hooks.on('tool.before', () => undefined);
    expect((await hooks.fire(shell('ls'))).runs.map(({ hook }) => hook)).toEqual([
      'same',
      'same (2)',
      '(program)#on.tool.before[1]',
    ]);
    expect(hooks.hooks.map(({ origin, dialect }) => [origin.layer, dialect])).toEqual(
      Array(3).fill(['session', 'anyhook']),
    );
  });

  test('adding or removing a hook inside a fire applies to the next fire', async () => {
    const hooks = await open();
    const off = hooks.on('tool.before', () => {
      off();
      hooks.on('tool.before', () => notice('second'));
      return notice('first');
    });
    const said = async () => (await hooks.fire(shell('ls'))).said.map(({ text }) => text);
    expect([await said(), await said()]).toEqual([['first'], ['second']]);
  });

  test('an added hook stays when the settings are reloaded', async () => {
    const place = ground();
    const hooks = await place.open({ journal: false });
    hooks.on('tool.before', () => context('still here'));
    place.put(USER, JSON.stringify(before({ run: 'echo no >&2; exit 2' })));
    await hooks.reload();
    const outcome = await hooks.fire(shell('ls'));
    expect([texts(outcome), outcome.runs.length]).toEqual([['no'], 3]);
  });

  test('the first added hook loads the journal and the built-in guard', async () => {
    const place = ground();
    const hooks = await place.open();
    expect(hooks.wants['tool.before']).toBe(false);
    hooks.on('tool.before', () => undefined);
    const { runs } = await hooks.fire(shell('rm -rf ~/.config/anyhook', { session: 's' }));
    expect(runs.map(({ hook }) => hook)).toEqual(['anyhook:self-protection', '(program)#on.tool.before[0]']);
    expect(
      readdirSync(join(place.home, '.local/state/anyhook/journal'), { recursive: true }).length,
    ).toBeGreaterThan(0);
  });

  test.each<[string, unknown, string]>([
    ['tool.befor', () => {}, "hooks.on: unknown event 'tool.befor'. Did you mean 'tool.before'?"],
    ['tool.before', 5, 'hooks.on: 5 is not a function. Correct or remove it.'],
    ['tool.before', {}, 'hooks.on: run is missing. Expected a function.'],
    ['tool.before', undefined, 'hooks.on: run is missing. Expected a function.'],
    ['tool.before', { run() {}, mtach: 'x' }, "hooks.on: unknown key 'mtach'. Did you mean 'match'?"],
    ['tool.before', { run() {}, match: '(' }, 'hooks.on: (: '],
    [
      'tool.before',
      [() => {}],
      'hooks.on: expected one function, or { match, run }. Call it once for each item of the list.',
    ],
    [
      'tool.before',
      { on: 'tool.after', run() {} },
      'hooks.on: the event is "tool.before", but the hook has "tool.after". Remove "on" from the hook.',
    ],
  ])('an added hook with %s, %o is rejected with the reason', async (event, callback, said) => {
    const hooks = await open();
    const register = hooks.on as (event: string, callback: unknown) => void;
    expect(() => register(event, callback)).toThrow(said);
    expect(hooks.hooks).toEqual([]);
  });
});

describe('an unknown event name', () => {
  const message = 'unknown event \'tool.befor\'. Did you mean "tool.before"?';

  test('fire rejects an unknown event name', async () => {
    const fire = (await open()).fire as (event: unknown) => Promise<unknown>;
    await expect(fire({ name: 'tool.befor', payload: {} })).rejects.toThrow(
      new TypeError(`hooks.fire: ${message}`),
    );
    for (const name of ['constructor', '__proto__', 'toString'])
      await expect(fire({ name, payload: {} })).rejects.toThrow(`hooks.fire: unknown event '${name}'.`);
    for (const nameless of [{}, undefined, 'tool.before'])
      await expect(fire(nameless)).rejects.toThrow(
        new TypeError(
          "hooks.fire: the event has no name. Write hooks.fire({ name: 'tool.before', payload: { … } }).",
        ),
      );
  });

  test('wants throws for an unknown event name, but not for properties that tools probe', async () => {
    const wants = (await open({ hooks: { 'agent.end': () => undefined } })).wants as Record<string, boolean>;
    expect(() => wants['tool.befor']).toThrow(new TypeError(`hooks.wants: ${message}`));
    expect(() => wants['nonsense']).toThrow("hooks.wants: unknown event 'nonsense'.");
    expect(Object.keys(wants).filter((name) => wants[name])).toEqual(['agent.end']);
    expect(JSON.parse(JSON.stringify(wants))).toEqual({ ...wants });
    expect([await Promise.resolve(wants), String(wants)]).toEqual([wants, '[object Object]']);
  });

  test('an unknown event name in the hooks option is a problem that suggests the nearest name, ours or the SDK’s', async () => {
    const hooks = await open({ hooks: { 'tool.befor': () => deny('no'), PreToolUs: () => ({}) } });
    expect(hooks.problems.map(({ code, key, message, remedy }) => [code, key, message, remedy])).toEqual([
      ['unknown-event', 'hooks.tool.befor', 'unknown event "tool.befor".', 'Did you mean "tool.before"?'],
      ['unknown-event', 'hooks.PreToolUs', 'unknown event "PreToolUs".', 'Did you mean "PreToolUse"?'],
    ]);
  });

  test.each(['tool.befor', 'PreToolUs', 'tool_call', 'tool.execute.before', 'BeforeTool', 'preToolUse'])(
    'a hook of the program under %s refuses tool calls instead of being ignored',
    async (name) => {
      const hooks = await open({ hooks: { [name]: () => deny('no') } as never });
      const { proceed, reason } = await hooks.fire(shell('ls'));
      expect([proceed, reason]).toEqual(['no', expect.stringContaining(`unknown event "${name}"`)]);
    },
  );

  test('a hook of the program under a misspelled name of an event that cannot refuse refuses no calls', async () => {
    const hooks = await open({
      hooks: { 'session.strat': () => undefined, Notificatio: () => ({}) } as never,
    });
    expect([hooks.problems.length, (await hooks.fire(shell('ls'))).proceed]).toEqual([2, 'yes']);
  });

  test('an event that only a newer SDK has is a problem and refuses no calls', async () => {
    const hooks = await open({ hooks: { WorktreeMoved: [{ hooks: [() => ({})] }] } as never });
    expect([hooks.problems.length, (await hooks.fire(shell('ls'))).proceed]).toEqual([1, 'yes']);
  });

  test('an unknown event name in the capabilities is a problem as well', async () => {
    const hooks = await open({ host: { ...host, can: { 'tool.befor': {} } } });
    expect(hooks.problems.map(({ message, remedy }) => `${message} ${remedy}`)).toEqual([
      'unknown event \'tool.befor\'. Did you mean "tool.before"?',
    ]);
  });
});

describe('hooks of the program', () => {
  test('hooks of the program are definitions and functions by event, ours and the SDK’s, in one option', async () => {
    const hooks = await open({
      hooks: [
        defineHook({ on: 'tool.before', run: () => context('defined') }),
        {
          'tool.before': [() => context('called'), { match: 'shell', run: () => context('matched') }],
          PreToolUse: () => ({
            hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'sdk' },
          }),
        },
      ],
    });
    expect(hooks.problems).toEqual([]);
    expect((await hooks.fire(shell('ls'))).said.map(({ by, text }) => [by, text])).toEqual([
      ['(program)#sdk.PreToolUse[0].hooks[0]', 'sdk'], // by the order of the dialects
      ['(program)#hooks[0]', 'defined'],
      ['(program)#hooks[1].tool.before[0]', 'called'],
      ['(program)#hooks[1].tool.before[1]', 'matched'],
    ]);
  });

  test.each<[string, unknown, string]>([
    [
      'an empty definition',
      defineHook({} as never),
      "hooks[0].on: on is missing. Set it to an event, such as 'tool.before'.",
    ],
    ['a function alone', () => {}, "hooks[0].on: on is missing. Set it to an event, such as 'tool.before'."],
    [
      'a list in the list',
      [defineHook({ on: 'tool.before', run() {} })],
      'hooks[0]: is a list ([{"on":"tool.before","line":',
    ],
    [
      'a module',
      { guard: defineHook({ on: 'tool.before', run() {} }) },
      'hooks[0].guard: unknown event "guard". It is the result of defineHook(…): pass it in a list.',
    ],
  ])('hooks of the program report what is wrong with %s', async (_, item, said) => {
    const { problems } = await open({ hooks: [item] as never });
    expect(problems.map(({ key, message, remedy }) => `${key}: ${message} ${remedy}`)[0]).toContain(said);
  });

  test('invalid hooks of the program are reported, and an invalid guard blocks instead of being ignored', async () => {
    const hooks = await open({ hooks: { 'tool.before': { match: 'shell' } } });
    expect(hooks.problems.map(({ key, message }) => [key, message])).toEqual([
      ['hooks.tool.before[0].run', 'run is missing.'],
    ]);
    expect((await hooks.fire(shell('ls'))).verdict).toBe('deny');
  });
});

test('hooks close by themselves at the end of a block', async () => {
  const hooks = await createHooks({
    host,
    settings: false,
    journal: false,
    hooks: { 'tool.before': () => undefined },
  });
  await hooks[Symbol.asyncDispose]();
  expect(texts(await hooks.fire(shell('ls')))).toEqual(['the hooks are closed']);
});

describe('a call that does not name its tool', () => {
  const NAMELESS = [undefined, null, {}, { tool: '' }, { tool: 5 }, { tool_name: 'shell' }];
  test('a call without a tool name is refused with the reason, because guards could not match it', async () => {
    const hooks = await open({
      hooks: [{ on: 'tool.before', match: 'shell', run: () => ({ kind: 'deny', reason: 'no' }) }],
    });
    const answers = NAMELESS.map((payload) => hooks.fire({ name: 'tool.before', payload: payload as never }));
    const text = 'the call names no tool (payload.tool must be a string)';
    expect((await Promise.all(answers)).map(({ proceed, reason }) => [proceed, reason])).toEqual(
      NAMELESS.map(() => ['no', text]),
    );
  });
  test('a call without a tool name passes if nothing listens, and after the fact, where hooks see it', async () => {
    const heard: unknown[] = [];
    const hooks = await open({
      hooks: { 'tool.after': (event: { payload: unknown }) => void heard.push(event.payload) },
    });
    expect((await hooks.fire({ name: 'tool.before', payload: {} as never })).proceed).toBe('yes');
    expect((await hooks.fire({ name: 'tool.after', payload: {} as never })).proceed).toBe('yes');
    expect(heard).toEqual([{}]);
  });
});
