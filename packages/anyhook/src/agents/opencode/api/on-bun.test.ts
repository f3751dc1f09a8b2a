/** The same loader on Bun, if it is installed. On Node, a plugin for Bun only is reported as such. */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { scratch } from './fixtures/scratch.ts';

const ground = scratch();
afterAll(ground.remove);
const HERE = fileURLToPath(new URL('.', import.meta.url));
const BUN = fileURLToPath(
  new URL(
    `../../../../../../.cache/clients/bun/node_modules/@oven/bun-${process.platform}-${process.arch}/bin/bun`,
    import.meta.url,
  ),
);

/** `bun` makes a plugin that can only run there. */
const write = (name: string, bun: string) =>
  ground.write(
    name,
    `${bun}
   import { tool } from '@opencode-ai/plugin';
   export const Files = async ({ $, directory }) => ({
     'tool.execute.before': async (input, output: { args: { command: string } }) => {
       output.args.command = (await $\`echo \${output.args.command}\`.text()).trim() + '!';
     },
     tool: { files: tool({ description: 'lists', args: { like: tool.schema.string() }, execute: async ({ like }) => listed(like, directory) }) },
   });`,
  );
const plugin = write(
  'plugin.ts',
  `import { Glob } from 'bun'; const listed = (like, cwd) => [...new Glob(like).scanSync(cwd)].join();`,
);
/** A separate process always runs on Node. */
write('anywhere.ts', `const listed = (like) => like.replace('*', 'in');`);

test('a plugin that imports modules of Bun is a problem with a remedy on Node', async () => {
  const plugins = await ground.load([plugin]);
  expect(plugins.hooks).toEqual([]);
  expect(plugins.problems).toMatchObject([
    { code: 'not-loaded', file: plugin, remedy: expect.stringContaining('run the host on Bun') as string },
  ]);
});

test.skipIf(!existsSync(BUN)).each([false, true])(
  "a plugin on Bun loads, changes arguments with Bun's own shell, and offers its tool (isolated: %s)",
  (isolate) => {
    const script = ground.write(
      `on-bun-${isolate}.ts`,
      `import { loadPlugins } from ${JSON.stringify(pathToFileURL(join(HERE, 'load-plugins.ts')).href)};
       const plugins = await loadPlugins({ directory: ${JSON.stringify(ground.root)}, home: ${JSON.stringify(ground.home)}, plugins: [${isolate ? "'./anywhere.ts'" : "'./plugin.ts'"}], isolate: ${isolate} });
       const output = await plugins.trigger('tool.execute.before', { tool: 'bash' }, { args: { command: '$(date) "x"' } });
       const scene = { session: 's', cwd: ${JSON.stringify(ground.root)}, signal: new AbortController().signal };
       const { output: found } = await plugins.offers.tools[0]!.execute({ like: 'plug*.ts' }, scene);
       console.log(JSON.stringify({ problems: plugins.problems, output, found }));`,
    );
    // The program must exit by itself, because nothing disposes the plugins.
    const out = execFileSync(BUN, [script], {
      encoding: 'utf8',
      timeout: 60_000,
      env: { PATH: process.env['PATH'], HOME: ground.home },
      cwd: ground.root,
    });
    expect(JSON.parse(out.trim().split('\n').at(-1)!)).toEqual({
      problems: [],
      output: { args: { command: '$(date) "x"!' } },
      found: 'plugin.ts',
    });
  },
  90_000,
);
