/** Items other than plugin files in OpenCode folders of projects and users, run through `createHooks`. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../../../events/capabilities.ts';
import type { Options } from '../../../gather/options.ts';
import { createHooks } from '../../../library/create-hooks.ts';
import type { Hooks } from '../../../library/hooks.ts';
import { scratch } from './fixtures/scratch.ts';

const ground = scratch();
const open: Hooks[] = [];
afterAll(async () => {
  for (const hooks of open) await hooks.close();
  ground.remove();
});
const opened = async (name: string, options: Partial<Options> = {}): Promise<Hooks> => {
  const hooks = await createHooks({
    host: { name: 'test', can: EVERYTHING },
    home: join(ground.root, name, 'home'),
    cwd: join(ground.root, name, 'project'),
    journal: false,
    settings: { dialects: ['opencode'] },
    ...options,
  });
  open.push(hooks);
  return hooks;
};
const hashesOf = ({ examined }: Hooks) => examined.map(({ judgement }) => judgement.hash);
const shell = (command: string) =>
  ({
    name: 'tool.before',
    payload: { tool: 'shell', input: { command } },
    ids: { session: 's', call: 'c' },
  }) as const;
const scene = () => ({ session: 's', cwd: ground.root, signal: new AbortController().signal });

describe('a package that a project names', { timeout: 120_000 }, () => {
  const write = (name: string, word: string) => {
    const mark = join(ground.root, name, 'imported');
    ground.write(`${name}/home/.keep`, '');
    ground.write(`${name}/project/opencode.json`, '{ "plugin": [["pack", { "word": "please" }]] }');
    ground.write(
      `${name}/project/node_modules/pack/package.json`,
      '{ "name": "pack", "type": "module", "exports": { "./server": "./dist/server.js" } }',
    );
    ground.write(
      `${name}/project/node_modules/pack/dist/server.js`,
      `import { appendFileSync } from 'node:fs';
       import { refusal } from './words.js';
       appendFileSync(${JSON.stringify(mark)}, process.pid + '\\n');
       export default { server: async (input, options) => ({
         'tool.execute.before': () => { throw new Error(options.word + ' ' + refusal + ' ' + process.pid); },
       }) };`,
    );
    ground.write(`${name}/project/node_modules/pack/dist/words.js`, `export const refusal = '${word}';`);
    return mark;
  };

  test('a project package is not imported before trust, and then runs the judged bytes in its own process', async () => {
    const mark = write('pack', 'first');
    const untrusted = await opened('pack');
    expect((await untrusted.fire(shell('ls'))).verdict).toBe('none');
    expect(untrusted.problems.map(({ code }) => code)).toEqual(['not-trusted']);
    expect(existsSync(mark)).toBe(false);

    const hooks = await opened('pack', { trust: { hashes: hashesOf(untrusted) } });
    const { verdict, reasons } = await hooks.fire(shell('ls'));
    const [, said, pid] = /(please first) (\d+)/.exec(reasons[0]?.text ?? '') ?? [];
    expect([verdict, said]).toEqual(['deny', 'please first']);
    expect(Number(pid)).not.toBe(process.pid);
    expect(readFileSync(mark, 'utf8')).toBe(`${pid}\n`);
  });

  test('a project package needs trust again after a change of an imported file', async () => {
    const mark = write('changed', 'first');
    const hashes = hashesOf(await opened('changed'));
    write('changed', 'second');
    const hooks = await opened('changed', { trust: { hashes } });
    expect((await hooks.fire(shell('ls'))).verdict).toBe('none');
    expect([hooks.problems.map(({ code }) => code), existsSync(mark)]).toEqual([['not-trusted'], false]);
  });

  test('a project package with an entry outside is refused with file and line, and the guarded calls are named', async () => {
    ground.write('escape/home/.keep', '');
    ground.write('escape/project/outside.js', 'export default async () => ({});');
    const file = ground.write('escape/project/opencode.json', '{\n  "plugin": ["pack"]\n}');
    ground.write(
      'escape/project/node_modules/pack/package.json',
      '{ "name": "pack", "main": "../../outside.js" }',
    );
    const hooks = await opened('escape');
    expect(hooks.problems).toMatchObject([
      { code: 'not-loaded', file, line: 2, message: expect.stringContaining('is outside') as string },
    ]);
    expect(hooks.examined).toEqual([]);
  });
});

describe('files that define tools', { timeout: 120_000 }, () => {
  const GREET = `import { tool } from '@opencode-ai/plugin';
    export default tool({ description: 'greets', args: { who: tool.schema.string() }, execute: async ({ who }) => 'hello ' + who + ' from ' + process.pid });
    export const loudly = tool({ description: 'shouts', args: {}, execute: async () => 'HELLO' });
    export const helper = 42;`;

  test('tools are named by file and export and run isolated, project tools after trust', async () => {
    ground.write('tools/home/.config/opencode/tool/greet.ts', GREET);
    ground.write('tools/project/.opencode/tools/salute.js', GREET);
    const untrusted = await opened('tools');
    expect(untrusted.offers.tools.map(({ name }) => name)).toEqual(['greet', 'greet_loudly']);
    const hooks = await opened('tools', { trust: { hashes: hashesOf(untrusted) } });
    expect(hooks.problems).toEqual([]);
    expect(hooks.offers.tools.map(({ name, origin }) => [name, origin.layer])).toEqual([
      ['greet', 'user'],
      ['greet_loudly', 'user'],
      ['salute', 'project'],
      ['salute_loudly', 'project'],
    ]);
    const said = async (name: string) =>
      (await hooks.offers.tools.find((tool) => tool.name === name)!.execute({ who: 'you' }, scene())).output;
    for (const name of ['greet', 'salute']) {
      expect(await said(name)).toMatch(/^hello you from \d+$/);
      expect(await said(name)).not.toContain(` ${process.pid}`);
    }
  });

  test('a tool file without tools, or that cannot be loaded, is a problem and refuses nothing', async () => {
    ground.write('bad-tools/project/.keep', '');
    const none = ground.write('bad-tools/home/.config/opencode/tool/none.ts', 'export const x = 1;');
    const broken = ground.write('bad-tools/home/.config/opencode/tool/broken.ts', '\nthrow new Error("no");');
    const hooks = await opened('bad-tools');
    expect(hooks.problems.map(({ file, line, severity }) => [file, line, severity])).toEqual([
      [broken, 2, 'error'],
      [none, undefined, 'error'],
    ]);
    expect((await hooks.fire(shell('ls'))).verdict).toBe('none');
  });

  test('tools may ask for permission, which runs permission hooks', async () => {
    ground.write('asking/project/.keep', '');
    ground.write(
      'asking/home/.config/opencode/tool/deploy.ts',
      `export default { description: 'deploys', args: {}, execute: async ({ to }, { ask }) => {
         await ask({ permission: 'deploy', patterns: [to], always: [], metadata: { to } });
         return 'deployed to ' + to;
       } };`,
    );
    ground.write(
      'asking/home/.config/opencode/plugin/guard.ts',
      `export default async () => ({ 'permission.ask': (input, output) => { output.status = input.args.to === 'test' ? 'allow' : 'deny'; } });`,
    );
    for (const isolate of ['none', 'all'] as const) {
      const hooks = await opened('asking', { modules: { isolate } });
      const [deploy] = hooks.offers.tools;
      expect((await deploy!.execute({ to: 'test' }, scene())).output).toBe('deployed to test');
      await expect(deploy!.execute({ to: 'production' }, scene())).rejects.toThrow(
        'denied by an OpenCode plugin',
      );
    }
  });
});
