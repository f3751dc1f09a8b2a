import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { scratch } from './fixtures/scratch.ts';
import type { PluginInput } from './types/index.ts';

const ground = scratch();
afterAll(ground.remove);

const given = (): PluginInput[] => ((globalThis as { given?: PluginInput[] }).given ??= []);
const keeper = ground.write(
  'keeper.ts',
  'export default async (input) => { (globalThis.given ??= []).push(input); return { config() {} }; };',
);

describe('the input of a plugin', () => {
  test('a plugin receives client, project, directory, worktree, server URL, shell and workspaces', async () => {
    given().splice(0);
    await ground.load([keeper]);
    const [input] = given();
    expect(Object.keys(input!).toSorted()).toEqual(
      ['$', 'client', 'directory', 'experimental_workspace', 'project', 'serverUrl', 'worktree'].toSorted(),
    );
    expect([input!.directory, input!.worktree, input!.project.id]).toEqual([
      ground.root,
      ground.root,
      'global',
    ]);
    expect(input!.serverUrl).toBeInstanceOf(URL);
    expect(typeof input!.client.session.list).toBe('function');
    expect(await input!.$`echo ${'a $(b) "c"'}; pwd`.text()).toBe(`a $(b) "c"\n${ground.root}\n`);
    expect(input!.experimental_workspace.register('remote', {})).toBeUndefined();
  });

  test('a plugin in a repository receives its root, and the id that all clones share', async () => {
    given().splice(0);
    const root = join(ground.root, 'repo');
    mkdirSync(join(root, 'packages/inner'), { recursive: true });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', root, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
        encoding: 'utf8',
      }).trim();
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    git('commit', '-q', '--allow-empty', '-m', 'second');
    await ground.load([keeper], { directory: join(root, 'packages/inner') });
    const [{ directory, worktree, project } = {} as PluginInput] = given();
    expect({ directory, worktree, project }).toEqual({
      directory: join(root, 'packages/inner'),
      worktree: root,
      project: {
        id: git('rev-list', '--max-parents=0', 'HEAD'),
        worktree: root,
        vcs: 'git',
        time: { created: expect.any(Number) as number },
      },
    });
  });

  test('a worktree that the host names is used unchanged', async () => {
    given().splice(0);
    await ground.load([keeper], { worktree: '/' });
    expect(given()[0]?.worktree).toBe('/');
  });

  test('each plugin has its own input, so changes do not reach others', async () => {
    given().splice(0);
    const vandal = ground.write(
      'vandal.ts',
      `export default async (input) => { input.directory = '/'; input.project.id = 'x'; input.$.cwd('/'); input.client.session = null; return { config() {} }; };`,
    );
    await ground.load([vandal, keeper]);
    const [input] = given();
    expect([input!.directory, input!.project.id, typeof input!.client.session.list]).toEqual([
      ground.root,
      'global',
      'function',
    ]);
    expect(await input!.$`pwd`.text()).toBe(`${ground.root}\n`);
  });
});

describe("OpenCode's packages inside a plugin", () => {
  test.each(['@opencode-ai/plugin', '@opencode-ai/plugin/tool', '@opencode/plugin'])(
    '%s resolves to ours if it is not installed, for types and values',
    async (name) => {
      const file = ground.write(
        `alias/${name.replaceAll(/\W/g, '-')}.ts`,
        `import { type Plugin, tool } from '${name}';
         import type { Hooks } from '${name}';
         import { z } from 'zod';
         export const Mine: Plugin = async (): Promise<Hooks> => ({
           tool: { greet: tool({ description: 'greets', args: { who: tool.schema.string(), n: z.number() }, execute: async ({ who }) => 'hello ' + who }) },
         });`,
      );
      const plugins = await ground.load([file]);
      expect(plugins.problems).toEqual([]);
      expect(
        plugins.offers.tools.map(({ name: called, parameters }) => [called, parameters['properties']]),
      ).toMatchObject([['greet', { who: { type: 'string' }, n: { type: 'number' } }]]);
    },
  );

  test('a copy that the plugin has installed is used', async () => {
    ground.write(
      'installed/node_modules/@opencode-ai/plugin/package.json',
      '{ "type": "module", "exports": { ".": { "import": "./i.js" } } }',
    );
    ground.write(
      'installed/node_modules/@opencode-ai/plugin/i.js',
      `export const tool = (d) => ({ ...d, description: 'theirs: ' + d.description });`,
    );
    const file = ground.write(
      'installed/p.ts',
      `import { tool } from '@opencode-ai/plugin';
       export default async () => ({ tool: { t: tool({ description: 'd', args: {}, execute: async () => '' }) } });`,
    );
    const plugins = await ground.load([file]);
    expect(plugins.tools['t']?.description).toBe('theirs: d');
  });

  test('the SDK can be imported without being installed', async () => {
    const file = ground.write(
      'alias/sdk.ts',
      `import { createOpencodeClient } from '@opencode-ai/sdk';
       export default async () => ({ 'shell.env': (i, o) => { o.env.is = typeof createOpencodeClient; } });`,
    );
    const plugins = await ground.load([file]);
    expect(plugins.problems).toEqual([]);
    expect(await plugins.trigger('shell.env', { cwd: '/' }, { env: {} })).toEqual({
      env: { is: 'function' },
    });
  });
});
