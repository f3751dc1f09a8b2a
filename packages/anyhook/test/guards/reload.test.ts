/** A long-running program changes its hooks only on reload. `anyhook reload` triggers it and reports weaker guards. */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EVERYTHING } from '../../src/events/capabilities.ts';
import { foldersOf } from '../../src/gather/folders.ts';
import { createHooks } from '../../src/index.ts';
import { askForReload } from '../../src/settings/reload.ts';

let root = '';
beforeEach(() => void (root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-reload-')))));
afterEach(() => rmSync(root, { recursive: true, force: true }));
const guard = (run: string) => {
  const file = join(root, 'home/.config/anyhook/hooks.json');
  mkdirSync(dirname(file), { recursive: true });
  mkdirSync(join(root, 'project'), { recursive: true });
  writeFileSync(file, JSON.stringify({ hooks: { 'tool.before': [{ name: 'no-push', run }] } }));
};

test('a running host keeps its guards until a reload and reports what changed', async () => {
  guard('exit 2');
  const [home, cwd] = [join(root, 'home'), join(root, 'project')];
  const hooks = await createHooks({
    host: { name: 'test', can: EVERYTHING },
    home,
    cwd,
    env: { PATH: process.env['PATH'] },
    journal: false,
  });
  const ask = async () => {
    const { verdict, said } = await hooks.fire({
      name: 'tool.before',
      payload: { tool: 'shell', input: { command: 'ls' } },
      ids: { session: 's' },
    });
    return [verdict, said.map(({ by, text }) => [by, text])];
  };
  expect(await ask()).toEqual(['deny', []]);
  guard('exit 0');
  expect(await ask()).toEqual(['deny', []]);
  askForReload(foldersOf({ home, cwd, env: {} }).reload);
  await sleep(400);
  const text =
    'anyhook: the guard no-push changed in its settings, since this session began. To look: anyhook list';
  expect(await ask()).toEqual(['none', [['host', text]]]);
  expect(await ask()).toEqual(['none', []]);
  await hooks.close();
});
