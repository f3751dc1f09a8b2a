/** Malicious plugins in the host's own process: nothing reaches the host except what the contract allows. */

import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { scratch } from './fixtures/scratch.ts';
import { HOOK_NAMES } from './hook-names.ts';

const ground = scratch();
afterAll(ground.remove);

const stray: unknown[] = [];
const hear = (error: unknown) => void stray.push(error);
beforeEach(() => void process.on('unhandledRejection', hear).on('uncaughtException', hear));
afterEach(async () => {
  await new Promise((go) => setTimeout(go, 20));
  process.off('unhandledRejection', hear).off('uncaughtException', hear);
  expect(stray.splice(0)).toEqual([]);
});

let number = 0;
const good = ground.write(
  'good.ts',
  `export default async () => ({ 'tool.execute.before': (i, o) => { o.args.good = true; }, event() {}, config() {} });`,
);
/** A hostile plugin first, then a good one. */
const beside = async (text: string) => {
  const file = ground.write(`h${++number}.ts`, text);
  return { file, plugins: await ground.load([file, good], { timeoutMs: 1000 }) };
};
const before = { tool: 'bash', sessionID: 's', callID: 'c' };

describe('loading', () => {
  test.each([
    ['throws at import', `throw new Error('no');`],
    ['throws null at import', `throw null;`],
    ['throws something whose message is a trap', `throw { get message() { throw new Error('trap'); } };`],
    ['rejects at import', `await Promise.reject(new Error('no')); export default 1;`],
    ['throws at start', `export default () => { throw new Error('no'); };`],
    ['rejects with nothing at start', `export default async () => { throw undefined; };`],
    [
      'throws a proxy at start',
      `export default async () => { throw new Proxy({}, { get() { throw 1; }, getPrototypeOf() { throw 2; } }); };`,
    ],
    ['returns a thenable that throws', `export default () => ({ get then() { throw new Error('no'); } });`],
    ['returns a thenable that never ends', `export default () => ({ then() {} });`],
    [
      'returns a proxy that refuses every question',
      `export default async () => new Proxy({}, { get(t, k) { if (k === 'then') return undefined; throw new Error('no'); }, ownKeys() { throw new Error('no'); } });`,
    ],
    [
      'has an export that throws when it is looked at',
      `Object.defineProperty(exports, 'bomb', { enumerable: true, get() { throw new Error('boom'); } });`,
    ],
    [
      'returns hooks that throw when they are looked at',
      `export default async () => ({ get event() { throw new Error('boom'); }, get 'tool.execute.before'() { throw new Error('boom'); } });`,
    ],
    [
      'returns tools and logins that throw when they are looked at',
      `export default async () => ({ tool: { get a() { throw new Error('boom'); }, b: { get execute() { throw new Error('boom'); } }, c: { description: 'c', get args() { throw new Error('boom'); }, execute() {} } }, auth: { provider: 'x', get methods() { throw new Error('boom'); } } });`,
    ],
    [
      'returns a login whose methods are traps',
      `export default async () => ({ auth: { provider: 'x', methods: [{ get type() { throw new Error('boom'); } }] } });`,
    ],
    [
      'returns a tool whose arguments are nonsense',
      `export default async () => ({ tool: { a: { description: 'a', args: { x: 42 }, execute: async () => '' } } });`,
    ],
  ])('a plugin that %s while it is loaded is a problem, and the next one works', async (_, text) => {
    const { file, plugins } = await beside(text);
    expect(await plugins.trigger('tool.execute.before', before, { args: {} })).toEqual({
      args: { good: true },
    });
    expect(plugins.problems.length).toBeGreaterThan(0);
    for (const problem of plugins.problems) expect(problem).toMatchObject({ file, severity: 'error' });
  });

  test('a hook named __proto__ or constructor changes no prototype', async () => {
    const { plugins } = await beside(
      `export default async () => ({ ...JSON.parse('{"__proto__": {"event": 1}, "constructor": 1, "toString": 2}'), tool: JSON.parse('{"__proto__": {"description": "x"}}') });`,
    );
    expect(({} as { event?: unknown }).event).toBeUndefined();
    expect(Object.getPrototypeOf(plugins.tools)).toBe(Object.prototype);
    expect(await plugins.trigger('constructor', {}, { a: 1 })).toEqual({ a: 1 });
  });

  test('a tool named __proto__ is a tool of that name', async () => {
    const { plugins } = await beside(
      `export default async () => ({ tool: Object.defineProperty({}, '__proto__', { enumerable: true, value: { description: 'x', args: {}, execute: async () => 'ran' } }) });`,
    );
    expect(Object.keys(plugins.tools)).toEqual(['__proto__']);
    expect(plugins.offers.tools.map(({ name }) => name)).toEqual(['__proto__']);
  });
});

const CALLED = HOOK_NAMES.filter(
  (name) => !['tool', 'auth', 'provider', 'event', 'config', 'dispose'].includes(name),
);

describe('in every hook', () => {
  const all = (body: string) =>
    `export default async () => Object.fromEntries(${JSON.stringify(CALLED)}.map((name) => [name, ${body}]));`;

  test.each(CALLED)('a throw in %s rejects that trigger with the thrown error', async (name) => {
    const { plugins } = await beside(all(`() => { throw new Error('no ' + name); }`));
    await expect(plugins.trigger(name, {}, {})).rejects.toThrow(`no ${name}`);
  });

  test.each(CALLED)('a hang in %s rejects that trigger at the deadline', async (name) => {
    const file = ground.write('hangs-everywhere.ts', all('() => new Promise(() => {})'));
    const plugins = await ground.load([file], { timeoutMs: 50 });
    await expect(plugins.trigger(name, {}, {})).rejects.toThrow(
      `"${name}" of ${file} did not answer within 50 ms`,
    );
  });

  test.each([
    ['null', 'threw null'],
    ['undefined', 'threw undefined'],
    ['"a text"', 'a text'],
    ['{}', 'threw an object without a message'],
    [
      'new Proxy({}, { get() { throw 1; }, getOwnPropertyDescriptor() { throw 2; } })',
      'threw an object without a message',
    ],
    [`Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('trap'); } })`, 'Error'],
    ['() => {}', 'threw a function'],
  ])('a throw of %s becomes a readable error', async (thrown, message) => {
    const { plugins } = await beside(
      `export default async () => ({ 'tool.execute.before': async () => { throw ${thrown}; } });`,
    );
    const error: unknown = await plugins
      .trigger('tool.execute.before', before, { args: {} })
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toBe(message);
  });

  test.each(['42', '"text"', '{ status: "allow" }', 'Symbol("x")', 'new Map()', '() => {}'])(
    'the return value of a hook (%s) is ignored',
    async (value) => {
      const { plugins } = await beside(
        `export default async () => ({ 'permission.ask': async () => (${value}) });`,
      );
      const output = { status: 'ask' };
      expect(await plugins.trigger('permission.ask', {}, output)).toBe(output);
      expect(output).toEqual({ status: 'ask' });
    },
  );

  test('a hook whose background work rejects later does not affect the chain', async () => {
    const { plugins } = await beside(
      `export default async () => ({ 'tool.execute.before': (i, o) => { void Promise.reject(new Error('later')).catch(() => {}); o.args.first = true; } });`,
    );
    expect(await plugins.trigger('tool.execute.before', before, { args: {} })).toEqual({
      args: { first: true, good: true },
    });
  });

  test('a rejection after the deadline is ignored', async () => {
    const file = ground.write(
      'late.ts',
      `export default async () => ({ 'tool.execute.before': () => new Promise((_, no) => setTimeout(() => no(new Error('too late')), 60)) });`,
    );
    const plugins = await ground.load([file], { timeoutMs: 20 });
    await expect(plugins.trigger('tool.execute.before', before, {})).rejects.toThrow('within 20 ms');
    await new Promise((go) => setTimeout(go, 100));
  });

  test('a huge, cyclic or throwing output is returned without being read', async () => {
    const { plugins } = await beside(
      `export default async () => ({ 'tool.execute.after': (i, o) => { o.output = 'x'.repeat(30_000_000); o.metadata = o; Object.defineProperty(o, 'title', { get() { throw new Error('trap'); } }); } });`,
    );
    const output = { title: '', output: '', metadata: {} as unknown };
    expect(await plugins.trigger('tool.execute.after', before, output)).toBe(output);
    expect([output.output.length, output.metadata === output]).toEqual([30_000_000, true]);
  });

  test('a status that throws when it is read fails the request instead of allowing it', async () => {
    const { plugins } = await beside(
      `export default async () => ({ 'permission.ask': (i, o) => { Object.defineProperty(o, 'status', { get() { throw new Error('trap'); } }); } });`,
    );
    await expect(plugins.trigger('permission.ask', {}, { status: 'ask' })).rejects.toThrow('trap');
  });

  test('event hooks with throwing answers of any kind stop nothing', async () => {
    const bodies = [
      `() => { throw null; }`,
      `async () => { throw new Proxy({}, { get() { throw 1; } }); }`,
      `() => ({ then() { throw new Error('x'); } })`,
      `() => ({ get then() { throw new Error('x'); } })`,
      `() => new Promise(() => {})`,
    ];
    const files = bodies.map((body, index) =>
      ground.write(`event-${index}.ts`, `export default async () => ({ event: ${body} });`),
    );
    const plugins = await ground.load(files, { timeoutMs: 1000 });
    for (let round = 0; round < 3; round++) plugins.publish({ type: 'x', properties: {} });
    await expect.poll(() => plugins.problems.length).toBe(4);
  });
});
