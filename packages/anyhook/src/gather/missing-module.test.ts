/**
 * A missing module that settings name may have contained a guard. The owner of the settings decides what that means.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Layer } from '../events/hook.ts';
import { createHooks } from '../library/create-hooks.ts';

const root = mkdtempSync(join(tmpdir(), 'ah-missing-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const SETTINGS = {
  'oh-my-pi': ['.pi/settings.json', { packages: ['./missing'] }, '.pi/agent/settings.json'],
  opencode: ['opencode.json', { plugin: ['./missing.ts'] }, '.config/opencode/opencode.json'],
} as const;

let worlds = 0;
async function judged(dialect: keyof typeof SETTINGS, layer: Extract<Layer, 'project' | 'user'>) {
  const world = join(root, String(++worlds));
  const [home, cwd] = [join(world, 'home'), join(world, 'project')];
  const [inProject, content, ofUser] = SETTINGS[dialect];
  const file = layer === 'project' ? join(cwd, inProject) : join(home, ofUser);
  for (const folder of [home, cwd, dirname(file)]) mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify(content));
  await using hooks = await createHooks({
    host: { name: 'test', can: { 'tool.before': { deny: 'full' } } },
    cwd,
    home,
    env: { HOME: home, PATH: process.env['PATH'] ?? '' },
    journal: false,
  });
  const { proceed } = await hooks.fire({
    name: 'tool.before',
    payload: { tool: 'shell', input: { command: 'ls' } },
  });
  return [proceed, hooks.problems.filter(({ code }) => code === 'file-unreadable').length];
}

describe.each(['oh-my-pi', 'opencode'] as const)('settings of %s that name a missing module', (dialect) => {
  test('a missing module in untrusted project settings refuses nothing, because untrusted settings must not act', async () => {
    expect(await judged(dialect, 'project')).toEqual(['yes', 1]);
  });
});

test('a missing module in user settings refuses calls until it is fixed, if the dialect refuses for unloadable guards', async () => {
  expect(await judged('oh-my-pi', 'user')).toEqual(['no', 1]);
});
