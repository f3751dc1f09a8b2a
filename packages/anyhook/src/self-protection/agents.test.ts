/** For every agent record: an agent cannot write the bridge of an agent, or the folders from which agents load code. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AGENT_NAMES, AGENTS } from '../agents/index.ts';
import { EVERYTHING } from '../events/capabilities.ts';
import { createHooks } from '../library/create-hooks.ts';
import type { Hooks } from '../library/hooks.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'guarded-')));
const ground = { home: join(root, 'home'), cwd: join(root, 'project'), env: {} };
let hooks: Hooks;
beforeAll(async () => {
  mkdirSync(ground.cwd);
  mkdirSync(join(ground.home, '.config/anyhook'), { recursive: true });
  const settings = { hooks: { 'tool.before': [{ match: 'nothing', run: 'true' }] } };
  writeFileSync(join(ground.home, '.config/anyhook/hooks.json'), JSON.stringify(settings));
  hooks = await createHooks({ host: { name: 'a test', can: EVERYTHING }, ...ground, journal: false });
});
afterAll(async () => {
  await hooks.close();
  rmSync(root, { recursive: true, force: true });
});
const verdictOn = async (path: string) =>
  (await hooks.fire({ name: 'tool.before', payload: { tool: 'write', input: { path, content: '' } } }))
    .verdict;

test.each(AGENT_NAMES)(
  'the bridge of %s and the folders of its code are guarded before they exist',
  async (name) => {
    const { bridge, guarded } = AGENTS[name];
    const files = [
      ...(['user', 'project'] as const).flatMap((scope) =>
        bridge({ ...ground, scope }).map(({ file }) => file),
      ),
      ...guarded(ground).map((folder) => join(folder, 'new', 'code.js')),
    ];
    const verdicts = await Promise.all(files.map(async (file) => [file, await verdictOn(file)]));
    expect(verdicts).toEqual(files.map((file) => [file, 'deny']));
  },
);

test('files beside guarded ones can be written', async () => {
  const paths = [join(ground.cwd, 'src/index.ts'), join(ground.cwd, '.pi/notes.md'), '/tmp/x'];
  expect(await Promise.all(paths.map(verdictOn))).toEqual(['none', 'none', 'none']);
});
