/** Finds extensions of pi and oh-my-pi in folders and as packages in the settings of pi. */

import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { createHooks } from '../library/create-hooks.ts';
import { removeTree } from '../settings/remove-tree.ts';
import type { Options } from './options.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-extensions-')));
afterAll(() => removeTree(root));
let count = 0;

function world(files: Readonly<Record<string, string | object>>): Pick<Options, 'home' | 'cwd'> {
  const base = join(root, String(++count));
  for (const folder of ['home', 'project']) mkdirSync(join(base, folder), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return { home: join(base, 'home'), cwd: join(base, 'project') };
}
const command = (name: string) =>
  `export default (pi) => pi.registerCommand('${name}', { description: '', handler: async () => {} });`;

/** Returns the commands of the found extensions, and the problems. */
async function foundIn(where: Pick<Options, 'home' | 'cwd'>, more: Partial<Options> = {}) {
  const given = { host: { name: 'test', can: EVERYTHING }, journal: false as const, ...where, ...more };
  const looked = await createHooks({ ...given, modules: { isolate: 'none' } });
  const hashes = looked.examined.map(({ judgement }) => judgement.hash);
  await looked.close();
  const hooks = await createHooks({ ...given, modules: { isolate: 'none' }, trust: { hashes } });
  const found = {
    commands: hooks.offers.commands.map(({ name }) => name),
    problems: hooks.problems.map(({ message }) => message),
  };
  await hooks.close();
  return found;
}

test('extensions are found as files, folders with an index and folders with a manifest, in all four folders, user folders first', async () => {
  const where = world({
    'project/.pi/extensions/own.ts': command('project-file'),
    'project/.omp/extensions/own.js': command('omp-project-file'),
    'home/.pi/agent/extensions/a.ts': command('user-file'),
    'home/.pi/agent/extensions/b/index.ts': command('user-index'),
    'home/.pi/agent/extensions/c/package.json': { pi: { extensions: ['./src/*.ts', '!src/no.ts'] } },
    'home/.pi/agent/extensions/c/src/yes.ts': command('user-manifest'),
    'home/.pi/agent/extensions/c/src/no.ts': command('left-out'),
    'home/.pi/agent/extensions/node_modules/x/index.js': command('dependency'),
    'home/.omp/agent/extensions/d.ts': command('omp-file'),
  });
  expect(await foundIn(where)).toEqual({
    commands: ['user-file', 'user-index', 'user-manifest', 'omp-file', 'project-file', 'omp-project-file'],
    problems: [],
  });
});

test('packages in the settings of pi are found where pi installed them, with the files that the settings select', async () => {
  const where = world({
    'home/.pi/agent/settings.json': {
      packages: [
        'npm:tools@1',
        { source: './near', extensions: ['!two.ts'] },
        'git:example.org/a/b',
        './themes',
      ],
      extensions: ['-extensions/off.ts'],
    },
    'home/.pi/agent/npm/node_modules/tools/package.json': { pi: { extensions: ['main.ts'] } },
    'home/.pi/agent/npm/node_modules/tools/main.ts': command('from-npm'),
    'home/.pi/agent/near/extensions/one.ts': command('one'),
    'home/.pi/agent/near/extensions/two.ts': command('two'),
    'home/.pi/agent/git/example.org/a/b/index.ts': command('from-git'),
    'home/.pi/agent/themes/themes/dark.json': {},
    'home/.pi/agent/extensions/off.ts': command('off'),
  });
  expect(await foundIn(where)).toEqual({ commands: ['from-npm', 'one', 'from-git'], problems: [] });
});

test('a package without an extension is a problem and may have been a guard, so tool calls are refused', async () => {
  const where = world({
    'home/.pi/agent/settings.json': { packages: ['./empty'] },
    'home/.pi/agent/empty/readme.md': 'nothing',
  });
  const hooks = await createHooks({ host: { name: 'test', can: EVERYTHING }, journal: false, ...where });
  const { verdict } = await hooks.fire({
    name: 'tool.before',
    payload: { tool: 'shell', input: { command: 'ls' } },
  });
  await hooks.close();
  expect([verdict, hooks.problems.map(({ message, file, line }) => [message, file, line])]).toEqual([
    'deny',
    [
      [
        `${join(where.home!, '.pi/agent/empty')} has no entry point and no index file`,
        join(where.home!, '.pi/agent/settings.json'),
        1,
      ],
    ],
  ]);
});

test('a host that is pi itself keeps its own extensions and gets those of oh-my-pi', async () => {
  const where = world({
    'home/.pi/agent/settings.json': { packages: [join(root, 'shared.ts')] },
    'home/.pi/agent/extensions/a.ts': command('of-pi'),
    'home/.omp/agent/extensions/b.ts': command('of-oh-my-pi'),
    '../shared.ts': command('named-by-pi'),
  });
  const { commands } = await foundIn(where, { settings: { without: ['oh-my-pi@/.pi/'] } });
  expect(commands).toEqual(['of-oh-my-pi']);
});

/** Manifests that list their own folder, spelled differently or through another path. */
const LISTS_ITSELF: Readonly<Record<string, Readonly<Record<string, string | object>>>> = {
  './': { 'package.json': { pi: { extensions: ['./'] } }, 'index.ts': command('own') },
  '.': { 'package.json': { pi: { extensions: ['.'] } }, 'index.js': command('own') },
  'its parent': {
    'package.json': { pi: { extensions: ['./src'] } },
    'src/package.json': { pi: { extensions: ['..'] } },
    'index.ts': command('own'),
  },
  'no index file': { 'package.json': { omp: { extensions: ['./'] } }, 'guard.ts': command('own') },
};
for (const [name, files] of Object.entries(LISTS_ITSELF))
  test(`a package whose manifest lists its own folder (${name}) loads the modules of that folder`, async () => {
    const where = world({
      ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`home/own/${path}`, text])),
      'home/.pi/agent/settings.json': { packages: ['../../own'] },
    });
    expect(await foundIn(where)).toEqual({ commands: ['own'], problems: [] });
  });

test('a manifest that lists a link to its own folder is followed once', async () => {
  const where = world({
    'home/own/package.json': { pi: { extensions: ['./again'] } },
    'home/own/index.ts': command('own'),
    'home/.pi/agent/settings.json': { packages: ['../../own'] },
  });
  symlinkSync('.', join(where.home!, 'own/again'));
  expect((await foundIn(where)).commands).toEqual(['own']);
});
