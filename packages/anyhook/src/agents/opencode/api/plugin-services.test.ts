/** What a plugin can use through its input: the host's session, settings, logins, events, shell and questions. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import type { Services } from '../../../events/services.ts';
import { credentialFolder } from './auth/store.ts';
import { scratch } from './fixtures/scratch.ts';

const ground = scratch();
afterAll(ground.remove);
afterEach(() => void vi.restoreAllMocks());
let number = 0;
const load = (body: string, services: Services = {}, isolate = false) =>
  ground.load([ground.write(`s${++number}.ts`, body)], { services, isolate, timeoutMs: 20_000 });
const run = (plugins: Awaited<ReturnType<typeof load>>, name = 'look', input = {}) =>
  plugins.offers.tools
    .find((tool) => tool.name === name)!
    .execute(input, { session: 's', call: 'c', cwd: ground.root, signal: new AbortController().signal });
/** A tool that returns the result of `body` as JSON. */
const looks = (body: string) =>
  `export default async ({ client, $ }) => ({ config() {}, tool: { look: { description: 'looks', args: {},
     execute: async (args, context) => JSON.stringify(await (async () => { ${body} })() ?? null) } } });`;

describe.each([false, true])('a plugin (isolated: %s)', { timeout: 60_000 }, (isolate) => {
  test('a plugin reads the session of its host by id, and no other', async () => {
    const session = {
      entries: () => [{ type: 'message', id: 'm1', message: { role: 'user', content: 'hi' } }],
      view: () => ({ getSessionId: () => 'ses_1' }),
      isIdle: () => true,
    };
    const plugins = await load(
      looks(`const list = await client.session.list();
             const other = await client.session.messages({ path: { id: 'ses_2' } });
             return { ids: list.data.map(({ id }) => id), other: other.error.data.message };`),
      { session: session as never },
      isolate,
    );
    expect(JSON.parse((await run(plugins)).output)).toEqual({
      ids: ['ses_1'],
      other: 'session ses_2 does not exist',
    });
    await plugins.dispose();
  });

  test('a plugin reads the settings of its config hook, and gets a clear error before', async () => {
    const plugins = await load(
      looks(`const { data, error } = await client.config.get(); return data ?? error.data.service;`),
      {},
      isolate,
    );
    expect((await run(plugins)).output).toBe('"config"');
    await plugins.init({ theme: 'dark' });
    expect(JSON.parse((await run(plugins)).output)).toEqual({ theme: 'dark' });
    await plugins.dispose();
  });

  test("a plugin stores a refreshed login privately in the user's folder", async () => {
    const plugins = await load(
      looks(
        `return (await client.auth.set({ path: { id: 'acme' }, body: { type: 'api', key: 'k${isolate}' } })).data;`,
      ),
      {},
      isolate,
    );
    expect((await run(plugins)).output).toBe('true');
    const file = join(credentialFolder({ home: ground.home, env: {} }), 'auth.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ acme: { type: 'api', key: `k${isolate}` } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await plugins.dispose();
  });

  test('a plugin that subscribes to events receives them without a hook', async () => {
    const out = join(ground.root, `heard-${isolate}`);
    const plugins = await load(
      `import { appendFileSync } from 'node:fs';
       export default async ({ client }) => {
         void (async () => { for await (const event of (await client.event.subscribe()).stream) appendFileSync(${JSON.stringify(out)}, event.type + '\\n'); })();
         await client.path.get();
         return { config() {} };
       };`,
      {},
      isolate,
    );
    plugins.publish({ type: 'session.idle', properties: {} });
    plugins.publish({ type: 'file.edited', properties: {} });
    await expect
      .poll(() => existsSync(out) && readFileSync(out, 'utf8'), { timeout: 10_000 })
      .toBe('session.idle\nfile.edited\n');
    await plugins.dispose();
  });

  test('printed output of plugin commands does not mix with the answer of the host', async () => {
    const logged: string[] = [];
    const written = vi.spyOn(process.stdout, 'write');
    const plugins = await load(
      looks('await $`echo loud`; return (await $`echo quiet`.text()).trim();'),
      { log: (_, message) => void logged.push(message) },
      isolate,
    );
    expect((await run(plugins)).output).toBe('"quiet"');
    await expect.poll(() => logged, { timeout: 10_000 }).toEqual(['loud']);
    expect(written.mock.calls.flat().join('')).not.toContain('loud');
    await plugins.dispose();
  });

  test('a permission request of a tool runs permission.ask of every plugin before the user is asked', async () => {
    const asked: string[] = [];
    const ui = {
      select: async (title: string) => {
        asked.push(title);
        return 'Allow once';
      },
    };
    const plugins = await load(
      `export default async () => ({
         'permission.ask': (input, output) => {
           if (input.type === 'deploy' && input.metadata.to === 'production') output.status = 'deny';
           if (input.tool === 'deploy' && input.args.to === 'test') output.status = 'allow';
         },
         tool: { deploy: { description: 'deploys', args: {}, execute: async ({ to }, { ask }) => {
           await ask({ permission: 'deploy', patterns: [to], always: [], metadata: { to } });
           return 'deployed to ' + to;
         } } },
       });`,
      { ui: ui as never },
      isolate,
    );
    const deploy = (to: string) =>
      run(plugins, 'deploy', { to }).then(
        ({ output }) => output,
        (error: Error) => error.message,
      );
    expect([await deploy('production'), await deploy('test'), await deploy('staging')]).toEqual([
      'a plugin refused deploy: production',
      'deployed to test',
      'deployed to staging',
    ]);
    expect(asked).toEqual(['Allow deploy: staging?']);
    await plugins.dispose();
  });
});

test("running commands of a plugin's shell end with the plugin", async () => {
  const out = join(ground.root, 'pid');
  const plugins = await load(
    `export default async ({ $ }) => ({ config() { void $\`echo $$ > ${out}; exec sleep 60\`.nothrow().run(); } });`,
  );
  await plugins.init({});
  await expect.poll(() => existsSync(out) && readFileSync(out, 'utf8'), { timeout: 10_000 }).toMatch(/\d/);
  const pid = Number(readFileSync(out, 'utf8'));
  await plugins.dispose();
  await expect
    .poll(
      () => {
        try {
          return process.kill(pid, 0);
        } catch {
          return false;
        }
      },
      { timeout: 10_000 },
    )
    .toBe(false);
});
