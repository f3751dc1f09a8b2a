/** The load timeout of modules, set in the user's file or by the program. */

import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import type { Problem } from '../events/problems.ts';
import { createHooks } from '../library/create-hooks.ts';
import { ground, shell, until } from '../library/fixtures/ground.ts';
import { MORE_TIME } from '../runners/module/load-module.mjs';
import { removeTree } from '../settings/remove-tree.ts';
import type { Options } from './options.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-load-time-')));
afterAll(() => removeTree(root));
let count = 0;

const NEVER = 'await new Promise(() => {});\nexport default () => {};\n';
const MODULES = {
  'a hook of ours': '.config/anyhook/hooks/never.mjs',
  'a plugin of OpenCode': '.config/opencode/plugin/never.js',
  'a hook of oh-my-pi': '.omp/agent/hooks/pre/never.mjs',
};

async function problemsWith(
  files: Readonly<Record<string, string>>,
  options: Partial<Options> = {},
): Promise<readonly Problem[]> {
  const [home, cwd] = [join(root, `${++count}/home`), join(root, `${count}/project`)];
  mkdirSync(cwd, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const host = { name: 'test', can: EVERYTHING };
  const hooks = await createHooks({ host, home, cwd, journal: false, ...options });
  await hooks.close();
  return hooks.problems;
}

describe.each(Object.entries(MODULES))('%s that never finishes loading', (_, file) => {
  test.each([
    ['the person’s file', undefined, { '.config/anyhook/hooks.json': '{ "loadMs": 333 }' }],
    ['the program', 333, {}],
  ] as const)(
    'a module that never finishes loading is a problem after the timeout, and the problem explains how to extend it: %s',
    async (_set, loadMs, files) => {
      const modules = { isolate: 'none' as const, ...(loadMs !== undefined && { loadMs }) };
      const [problem, ...more] = await problemsWith({ [file]: NEVER, ...files }, { modules });
      expect(more).toEqual([]);
      expect(problem).toMatchObject({ code: 'not-loaded', severity: 'error' });
      expect(problem!.file.endsWith(file)).toBe(true);
      expect(problem!.message).toContain('did not finish loading within 333 ms');
      expect(`${problem!.message} ${problem!.remedy}`).toContain(MORE_TIME.replace(/\.$/, ''));
    },
  );
});

test('an invalid load timeout is reported', async () => {
  const wrong = await problemsWith({ '.config/anyhook/hooks.json': '{ "loadMs": "long" }' });
  expect(wrong.map(({ key, message }) => [key, message])).toEqual([
    ['loadMs', 'expected a number, got a string ("long").'],
  ]);
});

const SLOW: Readonly<Record<string, string>> = {
  'home/.config/opencode/plugin/slow.js': `await new Promise((done) => setTimeout(done, 1500));
    export default async () => ({ 'tool.execute.before': async (input, output) => {
      if (output.args.command === 'rm') throw new Error('not this');
    } });`,
  'home/.omp/agent/hooks/pre/slow.mjs': `await new Promise((done) => setTimeout(done, 1500));
    export default (pi) => pi.on('tool_call', ({ input }) =>
      input.command === 'rm' ? { block: true, reason: 'not this' } : undefined);`,
};
test.each(Object.entries(SLOW))(
  'a module that loads too slowly (%s) counts as broken until it has loaded, and then decides itself',
  async (path, text) => {
    const place = ground({ [path]: text });
    const hooks = await place.open({
      journal: false,
      trust: { selfProtection: false },
      modules: { loadMs: 300 },
    });
    const early = await hooks.fire(shell('ls'));
    if (path.includes('opencode')) expect(early.proceed).toBe('yes'); // OpenCode skips such a plugin
    else
      expect([early.proceed, early.reason]).toEqual([
        'no',
        expect.stringMatching(/within \d+ ms[^]*"loadMs"/),
      ]);
    expect(hooks.problems.map(({ message }) => message)).toEqual([expect.stringContaining(' ms')]);
    await until(() => hooks.problems.length === 0);
    expect([(await hooks.fire(shell('ls'))).proceed, (await hooks.fire(shell('rm'))).reason]).toEqual([
      'yes',
      expect.stringContaining('not this'),
    ]);
  },
);

test('closing the hooks while a slow module loads ends its process', async () => {
  const place = ground({
    'home/.omp/agent/hooks/pre/never.mjs': `import { writeFileSync } from 'node:fs';
      writeFileSync(new URL('pid-' + process.pid, import.meta.url), '');\n${NEVER}`,
  });
  const hooks = await place.open({ journal: false, modules: { loadMs: 300 } });
  const folder = join(place.home, '.omp/agent/hooks/pre');
  const pids = () => readdirSync(folder).flatMap((name) => /^pid-(\d+)$/.exec(name)?.[1] ?? []);
  await until(() => pids().length === 2); // the first attempt and the one in the background
  await hooks.close();
  await until(() => pids().every((pid) => !existsSync(`/proc/${pid}`)));
});
