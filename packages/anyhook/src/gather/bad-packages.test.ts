/**
 * Malformed packages next to a valid one. Each becomes a problem with file, reason and remedy; the valid one loads and
 * nothing hangs.
 */

import { cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { createHooks } from '../library/create-hooks.ts';
import { MORE_TIME } from '../runners/module/load-module.mjs';
import { removeTree } from '../settings/remove-tree.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-bad-packages-')));
afterAll(() => removeTree(root));
const ZOD = dirname(createRequire(import.meta.url).resolve('zod/package.json'));
let count = 0;

type Files = Readonly<Record<string, string | { readonly copyOf: string }>>;
function put(folder: string, files: Files): string {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === 'string') writeFileSync(file, content);
    else cpSync(content.copyOf, file, { recursive: true });
  }
  return folder;
}
const TOOL = (name: string, zod = '') =>
  `${zod}export const P = async () => ({ tool: { ${name}: { description: 'd', args: ${zod === '' ? '{}' : '{ n: z.number() }'}, execute: async () => 'ok' } } });\n`;

interface Loaded {
  readonly tools: readonly string[];
  readonly problems: readonly { file: string; message: string; remedy: string | undefined }[];
}
/** Loads a package next to a valid one. `name` is the path in the problem, relative to the package. */
async function loadBeside(files: Files, loadMs = 60_000): Promise<Loaded & { readonly folder: string }> {
  const base = join(root, String(++count));
  const folder = put(join(base, 'bad'), files);
  const sound = put(join(base, 'sound'), {
    'package.json': '{ "name": "sound", "type": "module", "main": "index.js" }',
    'index.js': TOOL('sound'),
  });
  const home = put(join(base, 'home'), {
    '.config/opencode/opencode.json': JSON.stringify({ plugin: [folder, sound] }),
  });
  mkdirSync(join(base, 'project'));
  const hooks = await createHooks({
    host: { name: 'test', can: EVERYTHING },
    journal: false,
    home,
    cwd: join(base, 'project'),
    modules: { loadMs },
  });
  const loaded = {
    folder,
    tools: hooks.offers.tools.map(({ name }) => name).toSorted(),
    problems: hooks.problems
      .filter(({ severity }) => severity === 'error')
      .map(({ file, message, remedy }) => ({ file, message, remedy })),
  };
  await hooks.close();
  return loaded;
}
const about = '{ "name": "bad", "type": "module", "main": "index.js" }';

describe('an OpenCode package', { timeout: 180_000 }, () => {
  test.each<readonly [string, Files, string, RegExp, RegExp]>([
    [
      'without an entry',
      { 'readme.md': '' },
      '../home/.config/opencode/opencode.json',
      /has no entry point/,
      /package\.json/,
    ],
    [
      'whose entry is not there',
      { 'package.json': about },
      '../home/.config/opencode/opencode.json',
      /index\.js does not exist/,
      /package\.json/,
    ],
    [
      'with syntax for a newer Node',
      {
        'package.json':
          '{ "name": "bad", "type": "module", "main": "index.js", "engines": { "node": ">=26" } }',
        'index.js': 'using x = { [Symbol.dispose]() {} };\nexport const P = async () => ({});\n',
      },
      'index.js',
      /Unexpected|could not be loaded/,
      /This is Node .*its package requires >=26/,
    ],
    [
      'with a native addon that is missing',
      {
        'package.json': about,
        'index.js':
          "import { createRequire } from 'node:module';\ncreateRequire(import.meta.url)('./build/Release/addon.node');\n",
      },
      'index.js',
      /addon\.node/,
      /native addon that was not built/,
    ],
    [
      'that imports what is not installed',
      { 'package.json': about, 'index.js': "import 'no-such-package-anywhere';\n" },
      'index.js',
      /no-such-package-anywhere/,
      /Install the packages that it imports/,
    ],
    [
      'that exports nothing to start',
      { 'package.json': about, 'index.js': 'export const x = 1;\n' },
      'index.js',
      /not a plugin|function/,
      /./,
    ],
  ])(
    'an OpenCode package %s becomes a problem with file, reason and remedy, and the rest loads',
    async (_, files, file, message, remedy) => {
      const { folder, tools, problems } = await loadBeside(files);
      expect(tools).toEqual(['sound']);
      expect(problems.map((one) => one.file)).toEqual([join(folder, file)]);
      expect(problems[0]!.message).toMatch(message);
      expect(`${problems[0]!.message} ${problems[0]!.remedy ?? ''}`).toMatch(remedy);
    },
  );

  test.each([
    [
      'never resolves while it is imported',
      'await new Promise(() => {});\nexport const P = async () => ({});\n',
    ],
    ['never resolves its start', 'export default () => new Promise(() => {});\n'],
    ['spins', 'export const P = async () => ({});\nfor (;;);\n'],
  ])(
    'an OpenCode package that %s is abandoned at its deadline, the problem explains how to extend it, and the rest loads',
    async (_, code) => {
      const { folder, tools, problems } = await loadBeside(
        { 'package.json': about, 'index.js': code },
        8_000,
      );
      expect(tools).toEqual(['sound']);
      expect(problems).toEqual([
        {
          file: join(folder, 'index.js'),
          message: expect.stringMatching(/did not (?:finish loading|answer) within \d+ ms/) as string,
          remedy: MORE_TIME,
        },
      ]);
    },
  );

  test.each([
    [
      'prints at import, also what looks like our own protocol',
      `process.stdout.write('@@ready {"no":"protocol"}\\n'.repeat(1000));\nconsole.log('hello');\n`,
    ],
    ['reads stdin to its end', `let read = '';\nfor await (const chunk of process.stdin) read += chunk;\n`],
  ])('an OpenCode package that %s loads without delaying the others', async (_, code) => {
    const { tools, problems } = await loadBeside({
      'package.json': about,
      'index.js': code + TOOL('reader'),
    });
    expect([tools, problems]).toEqual([['reader', 'sound'], []]);
  });

  test('a package with two bundled copies of zod provides its tools next to ours', async () => {
    const { tools, problems } = await loadBeside({
      'package.json': about,
      'node_modules/zod': { copyOf: ZOD },
      'inner/package.json': '{ "name": "inner", "type": "module", "main": "index.js" }',
      'inner/node_modules/zod': { copyOf: ZOD },
      'inner/index.js': "import * as three from 'zod/v3';\nexport const old = three.z;\n",
      'index.js': `import { z } from 'zod';
import { old } from './inner/index.js';
const execute = async () => 'ok';
export const P = async () => ({ tool: {
  four: { description: 'd', args: { n: z.number() }, execute },
  three: { description: 'd', args: { n: old.number() }, execute },
} });\n`,
    });
    expect([tools, problems]).toEqual([['four', 'sound', 'three'], []]);
  });
});
