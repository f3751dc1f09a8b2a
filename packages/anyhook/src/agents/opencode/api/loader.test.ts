import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../../../events/capabilities.ts';
import type { Layer } from '../../../events/hook.ts';
import type { Options } from '../../../gather/options.ts';
import { createHooks } from '../../../library/create-hooks.ts';
import type { Hooks } from '../../../library/hooks.ts';
import { scratch } from './fixtures/scratch.ts';
import { load } from './loader.ts';

const ground = scratch();
const open: Hooks[] = [];
afterAll(async () => {
  for (const hooks of open) await hooks.close();
  ground.remove();
});

const loadedFrom = (file: string, options?: unknown) =>
  load(
    {
      file,
      shown: file,
      layer: 'user' satisfies Layer,
      asker: { file, line: 1 },
      ...(options !== undefined && { options }),
    },
    { cwd: ground.root, home: ground.home, env: {}, services: {}, deadlineMs: 20_000 },
  );

describe('a plugin for the engine', () => {
  test('a plugin becomes one hook per function, and event listens to all bus events', async () => {
    const file = ground.write(
      'bring/one.ts',
      `export const A = async () => ({ 'tool.execute.before': () => {}, 'permission.ask': () => {}, event: () => {} });
       export const B = async () => ({ 'tool.execute.before': () => {}, tool: { t: { description: 'd', args: {}, execute: async () => 'x' } } });`,
    );
    const { hooks, offers, problems } = await loadedFrom(file);
    expect(problems).toEqual([]);
    expect(
      hooks.filter(({ on }) => !on.startsWith('event')).map(({ id, on, roles }) => [id, on, roles]),
    ).toEqual([
      [`opencode:${file}#permission.ask.1`, 'permission.ask', ['guard', 'mutator']],
      [`opencode:${file}#tool.execute.before.1`, 'tool.execute.before', ['guard', 'mutator']],
      [`opencode:${file}#tool.execute.before.2`, 'tool.execute.before', ['guard', 'mutator']],
    ]);
    const bus = hooks.filter(({ on }) => on.startsWith('event')).map(({ on }) => on);
    expect(bus).toEqual(expect.arrayContaining(['event', 'event:session.idle', 'event:file.edited']));
    expect(offers.tools.map(({ name, origin }) => [name, origin.layer])).toEqual([['t', 'user']]);
  });

  test('plugin hooks have the timeout of the host, and thirty seconds otherwise', async () => {
    const file = ground.write(
      'bring/timed.ts',
      `export const A = async () => ({ 'permission.ask': () => {} });`,
    );
    const terms = { cwd: ground.root, home: ground.home, env: {}, services: {}, deadlineMs: 20_000 };
    const module = { file, shown: file, layer: 'user' as const, asker: { file, line: 1 } };
    const times = [terms, { ...terms, handlerMs: 700 }].map(async (given) =>
      (await load(module, given)).hooks.map(({ timeoutMs }) => timeoutMs),
    );
    expect(await Promise.all(times)).toEqual([[30_000], [700]]);
  });

  test('a plugin that does not load is a problem and a missing hook', async () => {
    const file = ground.write('bring/broken.ts', `\nthrow new Error('broken');`);
    const { hooks, problems } = await loadedFrom(file);
    expect(problems).toMatchObject([{ code: 'not-loaded', file, line: 2 }]);
    expect(hooks).toMatchObject([
      { on: 'tool.execute.before', run: { kind: 'missing', why: { kind: 'not-loaded' } } },
    ]);
  });

  test('a plugin can be a package named by its folder', async () => {
    ground.write('bring/node_modules/pack/package.json', '{ "name": "pack", "main": "m.mjs" }');
    ground.write(
      'bring/node_modules/pack/m.mjs',
      'export default async (i, options) => ({ config() {}, dispose() { options.ended = true; } });',
    );
    const { hooks, problems, dispose } = await loadedFrom(join(ground.root, 'bring/node_modules/pack'), {
      a: 1,
    });
    expect([problems, hooks.map(({ on }) => on)]).toEqual([[], ['config', 'dispose']]);
    await dispose?.();
  });

  test('a plugin with a provider hook gets a problem that no host uses it', async () => {
    const file = ground.write(
      'bring/provider.ts',
      `export default async () => ({ provider: { id: 'x' }, config() {} });`,
    );
    expect((await loadedFrom(file)).problems).toMatchObject([{ key: 'provider', severity: 'warning' }]);
  });
});

const openHooks = async (name: string, options: Partial<Options> = {}): Promise<Hooks> => {
  const [home, cwd] = [join(ground.root, name, 'home'), join(ground.root, name, 'project')];
  const given = {
    host: { name: 'test', can: EVERYTHING },
    home,
    cwd,
    journal: false as const,
    ...options,
  };
  const looked = await createHooks({ ...given, settings: { dialects: ['opencode'] } });
  const hashes = looked.examined.map(({ judgement }) => judgement.hash);
  await looked.close();
  const hooks = await createHooks({ ...given, settings: { dialects: ['opencode'] }, trust: { hashes } });
  open.push(hooks);
  return hooks;
};
const shell = (command: string) =>
  ({
    name: 'tool.before',
    payload: { tool: 'shell', input: { command } },
    ids: { session: 's', call: 'c' },
  }) as const;

describe.each(['none', 'foreign'] as const)('with isolate: %s', (isolate) => {
  const plugin = (name: string, text: string) => {
    ground.write(`${name}-${isolate}/project/.keep`, '');
    ground.write(`${name}-${isolate}/home/.config/opencode/plugin/a.js`, text);
  };

  test('chat.params has temperature, topP, topK, maxOutputTokens and options, set or not', async () => {
    plugin(
      'params',
      `export const A = async () => ({
         'chat.params': (input, output) => { output.options.keys = Object.keys(output).toSorted(); },
       });
       export const B = async () => ({ 'chat.params': (input, output) => { output.temperature = 0.5; delete output.topP; } });`,
    );
    const hooks = await openHooks(`params-${isolate}`, { modules: { isolate } });
    const { payload, changed } = await hooks.fire({
      name: 'model.parameters',
      payload: {},
      ids: { session: 's' },
    });
    const keys = ['maxOutputTokens', 'options', 'temperature', 'topK', 'topP'];
    expect(payload).toEqual({ temperature: 0.5, options: { keys } });
    // A value that was only passed in is not a change.
    expect(changed.map(({ at }) => at)).toEqual(['options.keys', 'temperature']);
  });

  test.each([
    [undefined, 'first broke, seen by the second'],
    [true, 'first broke'],
  ])('after a throw in tool.execute.after with seedStrict %s the result is %j', async (seedStrict, text) => {
    const name = `throws-${String(seedStrict)}`;
    plugin(
      name,
      `export const A = async () => ({ 'tool.execute.after': () => { throw new Error('first broke'); } });
       export const B = async () => ({ 'tool.execute.after': (i, o) => { o.output += ', seen by the second'; } });`,
    );
    const modules = { isolate, ...(seedStrict !== undefined && { seedStrict }) };
    const hooks = await openHooks(`${name}-${isolate}`, { modules });
    const content = [{ type: 'text', text: 'fine' }];
    const { payload, runs } = await hooks.fire({
      name: 'tool.after',
      payload: { tool: 'shell', input: {}, content },
      ids: { session: 's', call: 'c' },
    });
    expect(payload).toMatchObject({ content: [{ type: 'text', text }], isError: true });
    expect(runs.map(({ skipped }) => skipped)).toEqual([
      undefined,
      seedStrict === true ? expect.stringContaining('stopped by') : undefined,
    ]);
  });
});

const PLUGIN = `export default async ({ directory }, options) => ({
  'tool.execute.before': async (input, output) => {
    if (input.tool !== 'bash') return;
    if (output.args.command === 'pid') throw new Error(String(process.pid));
    if (output.args.command.includes('--force')) output.args = { ...output.args, command: output.args.command.replace('--force', '') };
    if (output.args.command === 'ls') output.args.command = 'ls -l';
  },
  'permission.ask': async (input, output) => {
    if (input.tool === 'bash' && input.args?.command?.includes('rm -rf')) output.status = 'deny';
    if (input.tool === 'bash' && input.args?.command === 'date') output.status = 'allow';
  },
});`;

describe('plugins through createHooks', { timeout: 120_000 }, () => {
  test.each([undefined, 'none'] as const)(
    'user plugins refuse, allow, and change arguments in place or by replacement (isolate: %s)',
    async (isolate) => {
      ground.write('user/project/.keep', '');
      ground.write('user/home/.config/opencode/plugin/guard.ts', PLUGIN);
      const hooks = await openHooks('user', isolate && { modules: { isolate } });
      expect(hooks.problems).toEqual([]);
      const thrown = await hooks.fire(shell('pid'));
      const isHere = thrown.reasons[0]?.text.includes(String(process.pid));
      expect([thrown.verdict, isHere]).toEqual(['deny', isolate === 'none']);
      expect((await hooks.fire(shell('ls'))).payload).toMatchObject({ input: { command: 'ls -l' } });
      expect((await hooks.fire(shell('git push --force'))).payload).toMatchObject({
        input: { command: 'git push ' },
      });
      const asked = (command: string) =>
        hooks.fire({
          name: 'tool.permission',
          payload: { tool: 'shell', input: { command } },
          ids: { session: 's' },
        });
      expect([
        (await asked('rm -rf x')).verdict,
        (await asked('date')).verdict,
        (await asked('id')).verdict,
      ]).toEqual(['deny', 'allow', 'none']);
    },
  );

  test('project plugins wait for trust and run in their own process', async () => {
    ground.write('project/home/.keep', '');
    ground.write('project/project/.opencode/plugin/guard.ts', PLUGIN);
    const cwd = join(ground.root, 'project/project');
    const untrusted = await createHooks({
      host: { name: 'test', can: EVERYTHING },
      home: join(ground.root, 'project/home'),
      cwd,
      journal: false,
      settings: { dialects: ['opencode'] },
    });
    open.push(untrusted);
    expect((await untrusted.fire(shell('ls'))).payload).toMatchObject({ input: { command: 'ls' } });
    const hooks = await openHooks('project');
    const thrown = await hooks.fire(shell('pid'));
    expect(thrown.verdict).toBe('deny');
    expect(thrown.reasons[0]?.text).toMatch(/\d+/);
    expect(thrown.reasons[0]?.text).not.toContain(String(process.pid));
    expect((await hooks.fire(shell('git push --force'))).payload).toMatchObject({
      input: { command: 'git push ' },
    });
  });

  test('plugins in opencode.json receive options and bus events, offer tools, and are disposed once', async () => {
    const log = join(ground.root, 'named.log');
    ground.write('named/project/.keep', '');
    ground.write(
      'named/home/.config/opencode/opencode.jsonc',
      `{ "plugin": [["./mine/plugin.ts", { "log": ${JSON.stringify(log)} }]] } // mine`,
    );
    ground.write(
      'named/home/.config/opencode/mine/plugin.ts',
      `import { appendFileSync } from 'node:fs';
       import { tool } from '@opencode-ai/plugin';
       export default async (input, { log }) => ({
         event: async ({ event }) => appendFileSync(log, event.type + '\\n'),
         tool: { greet: tool({ description: 'greets', args: { who: tool.schema.string() }, execute: async ({ who }) => 'hello ' + who }) },
         dispose: async () => appendFileSync(log, 'disposed\\n'),
       });`,
    );
    const hooks = await openHooks('named');
    expect(hooks.problems).toEqual([]);
    await hooks.fire({ name: 'agent.idle', payload: {}, ids: { session: 's' } });
    await expect.poll(() => readFileSync(log, 'utf8')).toBe('disposed\nsession.status\nsession.idle\n');
    const [greet] = hooks.offers.tools;
    const scene = { session: 's', cwd: ground.root, signal: new AbortController().signal };
    expect((await greet!.execute({ who: 'you' }, scene)).output).toBe('hello you');
    await hooks.fire({ name: 'session.end', payload: { reason: 'exit' }, ids: { session: 's' } });
    await hooks.close();
    expect(readFileSync(log, 'utf8')).toBe('disposed\nsession.status\nsession.idle\ndisposed\n');
  });
});

describe('a `config` hook in an agent that has no such event', () => {
  const PLUGIN = 'home/.config/opencode/plugin/guard.ts';
  const GUARD = `export const Guard = async () => {
    const state = { rules: undefined, calls: 0 };
    return {
      config: async (config) => { state.calls++; state.rules = config.guard; config.agent.mine = {}; },
      'tool.execute.before': async (input, output) => {
        throw new Error(JSON.stringify(state));
      },
    };
  };`;
  const call = { name: 'tool.before', payload: { tool: 'shell', input: { command: 'ls' } } } as const;
  const openIn = async (
    folder: string,
    files: Readonly<Record<string, string>>,
    more: Partial<Options> = {},
  ) => {
    for (const [name, text] of Object.entries({ [PLUGIN]: GUARD, 'project/README': '', ...files }))
      ground.write(`${folder}/${name}`, text);
    const home = join(ground.root, folder, 'home');
    const cwd = join(ground.root, folder, 'project');
    const trust = { selfProtection: false } as const;
    const given = { home, cwd, env: {}, journal: false as const, trust };
    const hooks = await createHooks({ host: { name: 'codex', can: EVERYTHING }, ...given, ...more });
    open.push(hooks);
    return hooks;
  };

  test("a config hook is called once, before the first other hook, with the user's opencode.json", async () => {
    const hooks = await openIn('configured', {
      'home/.config/opencode/opencode.jsonc': '{ /* rules */ "guard": { "deny": ["rm"] }, }',
      'project/opencode.json': '{ "guard": { "deny": [] } }',
    });
    for (let i = 0; i < 2; i++)
      expect((await hooks.fire(call)).reason).toContain('{"rules":{"deny":["rm"]},"calls":1}');
  });

  test('a config hook is not called again by us if the agent has the event', async () => {
    const hooks = await openIn('by-agent', { 'home/.config/opencode/opencode.json': '{}' });
    await hooks.fire({ name: 'config.loaded', payload: { config: { guard: 'the agent’s', agent: {} } } });
    expect((await hooks.fire(call)).reason).toContain('{"rules":"the agent’s","calls":1}');
  });

  test('a config hook that throws is logged, and the other hooks of the plugin run', async () => {
    const logged: string[] = [];
    const hooks = await openIn(
      'throws',
      {
        [PLUGIN]: GUARD.replace('state.calls++;', `throw new Error('no rules');`),
      },
      { services: { log: (_, message) => void logged.push(message) } },
    );
    expect((await hooks.fire(call)).reason).toContain('{"calls":0}');
    expect(logged.join()).toContain('its config hook failed: no rules');
  });
});
