import { afterAll, describe, expect, test } from 'vitest';
import { scratch } from './fixtures/scratch.ts';
import type { Plugins } from './plugins.ts';

const ground = scratch();
afterAll(ground.remove);

let number = 0;
/** One plugin file per text, which is the body of its hooks object. */
const loaded = (...bodies: string[]): Promise<Plugins> =>
  ground.load(
    bodies.map((body) => ground.write(`t${++number}.ts`, `export default async () => ({ ${body} });`)),
    { timeoutMs: 3000 },
  );

describe('trigger', () => {
  test('hooks run one after another in registration order on one shared output, which is returned', async () => {
    const plugins = await loaded(
      `'tool.execute.before': async (input, output) => { await new Promise((go) => setTimeout(go, 20)); output.args.seen.push('first'); }`,
      `'tool.execute.before': (input, output) => { output.args.seen.push('second'); }`,
    );
    const output = { args: { seen: [] as string[] } };
    expect(await plugins.trigger('tool.execute.before', CALL, output)).toBe(output);
    expect(output).toEqual({ args: { seen: ['first', 'second'] } });
  });

  test('a change in place and a new object both reach the caller', async () => {
    const plugins = await loaded(
      `'tool.execute.before': async (input, output) => { output.args.command = 'ls -a'; output.args.deep.list.push(2); }`,
      `'tool.execute.before': async (input, output) => { output.args = { ...output.args, extra: true }; }`,
    );
    const output = { args: { command: 'ls', deep: { list: [1] } } };
    await plugins.trigger('tool.execute.before', CALL, output);
    expect(output).toEqual({ args: { command: 'ls -a', deep: { list: [1, 2] }, extra: true } });
  });

  test('changes of a hook to its input reach neither the next hook nor the host', async () => {
    const plugins = await loaded(
      `'tool.execute.before': (input, output) => { input.tool = 'read'; input.nested.list.push('x'); delete input.callID; }`,
      `'tool.execute.before': (input, output) => { output.args = { saw: input }; }`,
    );
    const input = { ...CALL, nested: { list: ['a'] }, signal: new AbortController().signal };
    const output = await plugins.trigger('tool.execute.before', input, { args: {} as unknown });
    expect(input).toEqual({ ...CALL, nested: { list: ['a'] }, signal: input.signal });
    expect(output.args).toEqual({ saw: input });
  });

  test('an empty or unknown hook name returns the output unchanged', async () => {
    const plugins = await loaded(`'chat.params': (input, output) => { output.temperature = 1; }`);
    for (const name of ['', 'no.such.hook', '__proto__', 'constructor', 'tool', 'auth']) {
      const output = { temperature: 0 };
      expect(await plugins.trigger(name, {}, output)).toBe(output);
      expect(output).toEqual({ temperature: 0 });
    }
  });

  test("a throw rejects with the plugin's own message, and later hooks are not called", async () => {
    const plugins = await loaded(
      `'tool.execute.before': (input, output) => { output.args.first = true; }`,
      `'tool.execute.before': (input) => { if (input.callID === 'bad') throw new Error('not on my watch'); }`,
      `'tool.execute.before': (input, output) => { output.args.last = true; }`,
    );
    const output = { args: {} };
    await expect(plugins.trigger('tool.execute.before', { ...CALL, callID: 'bad' }, output)).rejects.toThrow(
      /^not on my watch$/,
    );
    expect(output).toEqual({ args: { first: true } });
    // That call and no other.
    expect(await plugins.trigger('tool.execute.before', CALL, { args: {} })).toEqual({
      args: { first: true, last: true },
    });
  });

  test('a hook that hangs is abandoned at its deadline, and the error names its plugin', async () => {
    const file = ground.write(
      'hangs.ts',
      `export default async () => ({ 'chat.message': () => new Promise(() => {}) });`,
    );
    const plugins = await ground.load([file], { timeoutMs: 200 });
    await expect(plugins.trigger('chat.message', { sessionID: 's' }, {})).rejects.toThrow(
      `the hook "chat.message" of ${file} did not answer within 200 ms`,
    );
  });

  test('two concurrent triggers do not wait for each other', async () => {
    const plugins = await loaded(
      `'chat.params': async (input, output) => { await new Promise((go) => setTimeout(go, input.ms)); output.options.done = input.ms; }`,
    );
    const order: number[] = [];
    await Promise.all(
      [300, 1].map(async (ms) => {
        await plugins.trigger('chat.params', { ms }, { options: {} });
        order.push(ms);
      }),
    );
    expect(order).toEqual([1, 300]);
  });

  test('a hook is called as a method of the object that the plugin returned', async () => {
    const file = ground.write(
      'class.ts',
      `class Mine { #count = 41; 'shell.env'(input, output) { output.env.COUNT = String(++this.#count); } }
       export default async () => new Mine();`,
    );
    const plugins = await ground.load([file]);
    expect(plugins.problems).toEqual([]);
    expect(await plugins.trigger('shell.env', { cwd: '/' }, { env: {} })).toEqual({ env: { COUNT: '42' } });
  });
});

describe('permission.ask', () => {
  const says = (status: string) =>
    `'permission.ask': async (input, output) => { output.status = ${status}; }`;

  test.each([
    [['allow'], 'allow'],
    [['deny'], 'deny'],
    [['ask'], 'ask'],
    [['allow', 'ask'], 'ask'],
    [['allow', 'deny'], 'deny'],
    [['deny', 'allow'], 'deny'],
    [['deny', 'ask', 'allow'], 'deny'],
  ])('plugins that answer %j result in %s', async (said, status) => {
    const plugins = await loaded(...said.map((word) => says(JSON.stringify(word))));
    const output = { status: 'ask' as const };
    expect(await plugins.trigger('permission.ask', ASKED, output)).toBe(output);
    expect(output).toEqual({ status });
  });

  test('control: without the rule a later plugin would undo the refusal', async () => {
    const plugins = await loaded(says('"deny"'), says('"allow"'));
    const output = { status: 'ask' };
    for (const hooks of plugins.hooks) await hooks['permission.ask']?.(ASKED as never, output as never);
    expect(output).toEqual({ status: 'allow' });
  });

  test('a later plugin cannot hide a refusal behind a getter', async () => {
    const plugins = await loaded(
      says('"deny"'),
      `'permission.ask': (input, output) => { Object.defineProperty(output, 'status', { get: () => 'allow', configurable: true }); }`,
    );
    expect(await plugins.trigger('permission.ask', ASKED, { status: 'ask' })).toEqual({ status: 'deny' });
  });

  test('a plugin that freezes the answer after a refusal fails the request', async () => {
    const plugins = await loaded(
      says('"deny"'),
      `'permission.ask': (input, output) => { output.status = 'allow'; Object.freeze(output); }`,
    );
    await expect(plugins.trigger('permission.ask', ASKED, { status: 'ask' })).rejects.toThrow();
  });

  test.each(['"denied"', '"ALLOW"', 'true', 'null', 'undefined', '{}', '42'])(
    'the status %s is not consent: the user is asked, and it is reported',
    async (status) => {
      const plugins = await loaded(says('"allow"'), says(status));
      expect(await plugins.trigger('permission.ask', ASKED, { status: 'ask' })).toEqual({ status: 'ask' });
      expect(plugins.problems).toMatchObject([
        { code: 'bad-value', key: 'permission.ask', severity: 'error' },
      ]);
      expect(plugins.problems[0]?.message).toMatch(
        /^status is "ask", "allow" or "deny", not .+; treated as "ask"$/,
      );
    },
  );
});

const CALL = { tool: 'bash', sessionID: 's', callID: 'c' };
const ASKED = { id: 'p', type: 'bash', tool: 'bash', args: { command: 'ls' }, sessionID: 's' };
