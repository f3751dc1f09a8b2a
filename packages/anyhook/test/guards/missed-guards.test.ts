/**
 * A trusted guard cannot disappear silently: changed, deleted, not executable, removed by a checkout, or with a
 * damaged record.
 */

import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { World } from '../trust/world.ts';

const PUSH = { tool_name: 'Bash', tool_input: { command: 'git push origin main' } };
const GUARD = '{"hooks":{"tool.before":[{"match":"shell(git push *)","run":"./guard.sh"}]}}';

async function trusted(): Promise<World> {
  const world = new World();
  world.put('.anyhook/hooks.json', GUARD);
  world.put('guard.sh', '#!/bin/sh\nexit 2\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: world.project, stdio: 'ignore' });
  git('init', '-q');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'without');
  git('checkout', '-q', '-b', 'guarded');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'with');
  await world.trustAll();
  return world;
}
/** The verdict on a call in an agent that can ask, and in one that cannot. */
async function verdicts(world: World, call: object = PUSH): Promise<string[]> {
  const event = (more: object) =>
    JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 's', cwd: world.project, ...call, ...more });
  const found: string[] = [];
  for (const host of ['claude-code', 'codex']) {
    const { stdout } = await world.run(['fire', '--as', host, '--host', host, '--json'], event({}));
    found.push((JSON.parse(stdout) as { verdict: string }).verdict);
  }
  return found;
}

const WAYS: Readonly<Record<string, (world: World) => void>> = {
  'one byte of its script': ({ project }) => writeFileSync(join(project, 'guard.sh'), '#!/bin/sh\nexit 0\n'),
  'its script deleted': ({ project }) => rmSync(join(project, 'guard.sh')),
  'its script not executable': ({ project }) => chmodSync(join(project, 'guard.sh'), 0o644),
  'its entry taken out': ({ project }) => writeFileSync(join(project, '.anyhook/hooks.json'), '{"hooks":{}}'),
  'its matcher weakened': ({ project }) =>
    writeFileSync(join(project, '.anyhook/hooks.json'), GUARD.replace('git push', 'git pull')),
  'its settings file deleted': ({ project }) => rmSync(join(project, '.anyhook'), { recursive: true }),
  'a checkout of a branch without it': ({ project }) =>
    void execFileSync('git', ['checkout', '-q', '-f', 'guarded~1'], { cwd: project, stdio: 'ignore' }),
  'its record of trust damaged': ({ home }) => {
    const folder = join(home, '.local/share/anyhook/trust');
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{');
  },
};

describe('a guard that was trusted', () => {
  test('a trusted guard refuses its calls and leaves others alone', async () => {
    const world = await trusted();
    expect(await verdicts(world)).toEqual(['deny', 'deny']);
    expect(await verdicts(world, { tool_name: 'Bash', tool_input: { command: 'ls' } })).toEqual([
      'none',
      'none',
    ]);
  });

  test.each(Object.keys(WAYS))(
    'leaves a question where it stood, and a refusal where nobody can be asked: %s',
    async (way) => {
      const world = await trusted();
      await verdicts(world); // The guard was present before.
      WAYS[way]!(world);
      expect(await verdicts(world)).toEqual(['ask', 'deny']);
      expect(await verdicts(world, { tool_name: 'Bash', tool_input: { command: 'ls' } })).toEqual([
        'none',
        'none',
      ]);
    },
  );

  test('the user releases a missing guard by trusting its replacement or revoking trust', async () => {
    const changed = await trusted();
    await verdicts(changed);
    WAYS['one byte of its script']!(changed);
    await changed.trustAll();
    expect(await verdicts(changed)).toEqual(['none', 'none']);
    const gone = await trusted();
    await verdicts(gone);
    WAYS['its entry taken out']!(gone);
    const { missed } = JSON.parse((await gone.run(['trust', 'list', '--json'])).stdout) as {
      missed: { hash: string }[];
    };
    await gone.byPerson(['trust', 'revoke', missed[0]!.hash]);
    expect(await verdicts(gone)).toEqual(['none', 'none']);
  });

  test('a guard that was never trusted has no effect, because a question would be an effect', async () => {
    const world = new World();
    world.put('.anyhook/hooks.json', GUARD);
    world.put('guard.sh', '#!/bin/sh\nexit 2\n');
    expect(await verdicts(world)).toEqual(['none', 'none']);
  });

  test('a project with an untrusted guard is blocked until it is trusted, if the user settings require it', async () => {
    const world = new World();
    world.put('.config/anyhook/hooks.json', '{"untrusted":"refuse"}', world.home);
    world.put('.anyhook/hooks.json', GUARD);
    world.put('guard.sh', '#!/bin/sh\nexit 2\n');
    expect(await verdicts(world)).toEqual(['deny', 'deny']);
    await world.trustAll();
    expect(await verdicts(world, { tool_name: 'Bash', tool_input: { command: 'ls' } })).toEqual([
      'none',
      'none',
    ]);
  });

  test('a guard is trusted without a terminal by a hash in user settings, not in project settings', async () => {
    const world = new World();
    world.put('.anyhook/hooks.json', GUARD);
    world.put('guard.sh', '#!/bin/sh\nexit 2\n');
    const { project } = JSON.parse((await world.run(['trust', 'list', '--json'])).stdout) as {
      project: { hash: string }[];
    };
    const named = `"trusted":["${project[0]!.hash}"]`;
    world.put('.anyhook/hooks.json', GUARD.replace('{', `{${named},`));
    expect(await verdicts(world)).toEqual(['none', 'none']);
    world.put('.anyhook/hooks.json', GUARD);
    world.put('.config/anyhook/hooks.json', `{${named}}`, world.home);
    expect(await verdicts(world)).toEqual(['deny', 'deny']);
  });
});
