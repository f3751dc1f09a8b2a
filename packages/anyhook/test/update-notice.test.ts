/** The notice about newer versions, in a real terminal with an npm that only writes down its arguments. */

import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { PERSON, World } from './trust/world.ts';

function machine(version = '"99.0.0"') {
  const world = new World();
  const npm = `#!/bin/sh\necho "$PWD $*" >> "$HOME/npm-calls"\necho '${version}'\n`;
  world.put('bin/npm', npm, world.home);
  chmodSync(join(world.home, 'bin/npm'), 0o755);
  const PATH = `${world.home}/bin:${process.env['PATH'] ?? ''}`;
  const list = (env: Record<string, string> = {}, through: readonly string[] = [PERSON]) =>
    world.run(['list'], '', through, { PATH, NO_UPDATE_NOTIFIER: '', ...env });
  const calls = () => {
    const file = join(world.home, 'npm-calls');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  };
  const state = () => readFileSync(join(world.home, '.local/state/anyhook/update.json'), 'utf8');
  return { world, list, calls, state };
}
const NOTICE = /anyhook 99\.0\.0 is available/;

test('a newer version is mentioned by the next command in a terminal, once, after npm was asked once', async () => {
  const { list, calls, state } = machine();
  expect((await list()).stdout).not.toMatch(NOTICE);
  await vi.waitFor(() => expect(state()).toContain('99.0.0'), { timeout: 10_000 });
  expect((await list()).stdout).toMatch(NOTICE);
  expect((await list()).stdout).not.toMatch(NOTICE);
  expect(calls()).toEqual(['/ view anyhook version --json']);
});

test.each<[string, Record<string, string>, readonly string[]]>([
  ['without a terminal', {}, []],
  ['in CI', { CI: 'true' }, [PERSON]],
  ['with NO_UPDATE_NOTIFIER', { NO_UPDATE_NOTIFIER: '1' }, [PERSON]],
  ['below an agent', { CLAUDECODE: '1' }, [PERSON]],
])('%s npm is not asked and nothing is mentioned', async (_, env, through) => {
  const { world, list, calls } = machine();
  world.put('.local/state/anyhook/update.json', '{"latest":"99.0.0"}', world.home);
  const { status, stdout, stderr } = await list(env, through);
  expect([status, NOTICE.test(stdout + stderr), calls()]).toEqual([0, false, []]);
});

test('the setting "updates": "off" switches check and notice off', async () => {
  const { world, list, calls } = machine();
  world.put('.config/anyhook/hooks.json', '{ "hooks": {}, "updates": "off" }', world.home);
  world.put('.local/state/anyhook/update.json', '{"latest":"99.0.0"}', world.home);
  const { status, stdout } = await list();
  expect([status, NOTICE.test(stdout), calls()]).toEqual([0, false, []]);
});

test('a command that fails or prints JSON does not mention a newer version', async () => {
  const { world, calls } = machine();
  world.put('.local/state/anyhook/update.json', '{"latest":"99.0.0"}', world.home);
  for (const args of [['list', '--json'], ['lst'], ['completion', 'bash']])
    expect((await world.run(args, '', [PERSON], { NO_UPDATE_NOTIFIER: '' })).stdout).not.toMatch(NOTICE);
  expect(calls()).toEqual([]);
});
