/** How long a module may take to load, whoever's it is: a setting of the person's file, or of the program. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../canon/capabilities.ts';
import type { Problem } from '../canon/problems.ts';
import { createHooks } from '../hosts/library/create-hooks.ts';
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
    'is a problem after the time that was set, and says how to set more: %s',
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

test('what is no time is said', async () => {
  const wrong = await problemsWith({ '.config/anyhook/hooks.json': '{ "loadMs": "long" }' });
  expect(wrong.map(({ key, message }) => [key, message])).toEqual([
    ['loadMs', 'is a text ("long"), a number is expected.'],
  ]);
});
