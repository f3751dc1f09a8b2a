import { afterAll, describe, expect, test } from 'vitest';
import { scratch } from './fixtures/scratch.ts';

const ground = scratch();
afterAll(ground.remove);

let number = 0;
const write = (body: string, before = ''): string =>
  ground.write(`w${++number}.ts`, `${before}export default async () => ({ ${body} });`);
const seen = (): unknown[] => ((globalThis as { seen?: unknown[] }).seen ??= []);
const clear = () => void seen().splice(0);
const SEE = '(globalThis.seen ??= []).push';

describe('init', () => {
  test('each config hook receives the settings in turn and may change them', async () => {
    const plugins = await ground.load([
      write(`config: async (config) => { config.theme = 'dark'; config.order = [1]; }`),
      write(`config: (config) => { config.order.push(2); }`),
    ]);
    const config: Record<string, unknown> = { model: 'm' };
    await plugins.init(config);
    expect(config).toEqual({ model: 'm', theme: 'dark', order: [1, 2] });
  });

  test('a config hook that throws or hangs is a problem, the rest run, and nothing rejects', async () => {
    clear();
    const throws = write(`config: async () => { throw new Error('no settings for me'); }`);
    const hangs = write(`config: () => new Promise(() => {})`);
    const last = write(`config: () => { ${SEE}('last'); }`);
    const plugins = await ground.load([throws, hangs, last], { timeoutMs: 500 });
    await expect(plugins.init({})).resolves.toBeUndefined();
    expect(seen()).toEqual(['last']);
    expect(plugins.problems).toMatchObject([
      { file: throws, line: 1, key: 'config', message: 'it threw: no settings for me', severity: 'error' },
      {
        file: hangs,
        key: 'config',
        message: expect.stringContaining('did not answer within 500 ms') as string,
      },
    ]);
  });
});

describe('publish', () => {
  const EVENT = { type: 'session.idle', properties: { sessionID: 's' } };

  test('publish is synchronous: hooks have started when it returns, and are not awaited', async () => {
    clear();
    const plugins = await ground.load([
      write(
        `event: async ({ event }) => { ${SEE}(event.type); await new Promise((go) => setTimeout(go, 50)); ${SEE}('later'); }`,
      ),
    ]);
    expect(plugins.publish(EVENT)).toBeUndefined();
    expect(seen()).toEqual(['session.idle']);
    await expect.poll(seen).toEqual(['session.idle', 'later']);
  });

  test('errors of event hooks only reach problems and log, and each hook is listed once', async () => {
    clear();
    const lines: string[] = [];
    const services = { log: (level: string, message: string) => void lines.push(`${level}: ${message}`) };
    const throws = write(`event: () => { throw new Error('at once'); }`);
    const rejects = write(`event: async () => { await null; throw null; }`);
    const last = write(`event: () => { ${SEE}('last'); }`);
    const unhandled: unknown[] = [];
    const hear = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', hear);
    const plugins = await ground.load([throws, rejects, last], { services });
    plugins.publish(EVENT);
    plugins.publish(EVENT);
    await expect.poll(() => lines.length).toBe(4);
    process.off('unhandledRejection', hear);
    expect([seen(), unhandled]).toEqual([['last', 'last'], []]);
    expect(plugins.problems.map(({ file, key, message }) => [file, key, message])).toEqual([
      [throws, 'event', 'it threw: at once'],
      [rejects, 'event', 'it threw: threw null'],
    ]);
  });

  test('changes of one plugin to an event do not reach other plugins or the host', async () => {
    clear();
    const plugins = await ground.load([
      write(`event: ({ event }) => { event.type = 'changed'; event.properties.sessionID = 'x'; }`),
      write(`event: ({ event }) => { ${SEE}(event); }`),
    ]);
    const event = structuredClone(EVENT);
    plugins.publish(event);
    expect([event, seen()]).toEqual([EVENT, [EVENT]]);
  });

  test('a log that throws has no effect', async () => {
    const services = {
      log: () => {
        throw new Error('the disk is full');
      },
    };
    const plugins = await ground.load([write(`event: () => { throw new Error('x'); }`)], { services });
    plugins.publish(EVENT);
    await expect.poll(() => plugins.problems.length).toBe(1);
  });
});

describe('dispose', () => {
  test('each dispose hook is called once, independently of others, and nothing is triggered afterwards', async () => {
    clear();
    const plugins = await ground.load([
      write(
        `dispose: async () => { ${SEE}(1); throw new Error('will not end'); }, event: () => { ${SEE}('late'); }`,
      ),
      write(`dispose: () => { ${SEE}(2); }`),
    ]);
    await Promise.all([plugins.dispose(), plugins.dispose()]);
    await plugins.dispose();
    plugins.publish({ type: 'x' });
    expect(seen()).toEqual([1, 2]);
    expect(plugins.problems).toMatchObject([{ key: 'dispose', message: 'it threw: will not end' }]);
    await expect(plugins.trigger('permission.ask', {}, { status: 'ask' })).rejects.toThrow(
      'have been disposed',
    );
  });
});

describe('tools and logins', () => {
  test('tools are listed by name as defined; the last plugin wins, and a problem reports it', async () => {
    const [first, second] = [1, 2].map((n) =>
      write(
        `tool: { count: { description: 'counts ${n}', args: {}, prefix: 'n', async execute(args) { return this.prefix + ${n} + args.x; } } }`,
      ),
    ) as [string, string];
    const plugins = await ground.load([first, second]);
    expect(Object.keys(plugins.tools)).toEqual(['count']);
    const { description, args, execute } = plugins.tools['count']!;
    expect([description, args, await execute({ x: '!' }, {} as never)]).toEqual(['counts 2', {}, 'n2!']);
    expect(plugins.offers.tools.map(({ name, origin }) => [name, origin.file])).toEqual([['count', second]]);
    expect(plugins.problems).toMatchObject([{ key: 'tool.count', file: second, severity: 'warning' }]);
  });

  test('of two logins for one provider the last one is offered', async () => {
    const login = (label: string) =>
      write(`auth: { provider: 'acme', methods: [{ type: 'api', label: '${label}' }] }`);
    const plugins = await ground.load([login('first'), login('second')]);
    expect(plugins.auth.map(({ provider, methods }) => [provider, methods[0]?.label])).toEqual([
      ['acme', 'second'],
    ]);
    expect(plugins.offers.auth.map(({ methods }) => methods.map(({ label }) => label))).toEqual([['second']]);
  });

  test('the provider hook is kept for hosts that use it', async () => {
    const plugins = await ground.load([write(`provider: { id: 'acme', models: async () => ({}) }`)]);
    expect(plugins.hooks).toMatchObject([{ provider: { id: 'acme' } }]);
  });
});
