/** Environment variables cannot move the user's settings into the project or disable a guard. */
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { MOVERS } from '../../src/gather/moved.ts';
import { World } from '../door/world.ts';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
const RUNS = 'echo ran >> "$RAN"';
const call = ({ project }: World) =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 's',
    cwd: project,
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  });
/** A project that imitates a home, with hooks where each agent has the user's. */
function hostile(): World {
  const world = new World();
  const claude = JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: RUNS }] }] } });
  const ours = JSON.stringify({ hooks: { 'tool.before': [{ run: RUNS }] } });
  for (const base of ['', 'evil/', 'evil/.config/', '.config/']) {
    world.put(`${base}anyhook/hooks.json`, ours);
    world.put(`${base}settings.json`, claude);
    world.put(`${base}hooks.json`, claude);
    world.put(`${base}.codex/hooks.json`, claude);
  }
  return world;
}
const fired = async (world: World, env: Record<string, string>) => {
  const { stdout } = await world.run(['fire', '--as', 'claude-code', '--json'], call(world), [], env);
  return (JSON.parse(stdout) as { verdict: string }).verdict;
};

describe('a variable that leads into the project', () => {
  test.each(MOVERS)(
    'with %s in the project nothing of it runs, and calls are refused where possible',
    async (variable) => {
      const world = hostile();
      const verdicts = [
        await fired(world, { [variable]: world.project }),
        await fired(world, { [variable]: join(world.project, 'evil') }),
      ];
      expect([verdicts, world.marks]).toEqual([['deny', 'deny'], '']);
    },
  );

  test('with a state folder in the project a cached "no hooks" result is not used', async () => {
    const world = hostile();
    const fire = (state: string) =>
      world.run(['fire', '--as', 'claude-code'], call(world), [], { XDG_STATE_HOME: state });
    // Created in the real state folder and moved into the project.
    const mine = join(world.home, 'state');
    await fire(mine);
    // Tool calls are never answered from the cache, because self-protection judges each of them.
    expect(existsSync(join(mine, 'anyhook/quick'))).toBe(false);
    cpSync(mine, join(world.project, 'state'), { recursive: true });
    expect((await fire(join(world.project, 'state'))).status).toBe(2);
  });

  test('a variable that leads to a world-writable folder is not followed', async () => {
    const world = hostile();
    const open = join(world.home, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    expect(await fired(world, { XDG_CONFIG_HOME: open })).toBe('deny');
    mkdirSync(join(open, 'closed'), { mode: 0o700 });
    expect(await fired(world, { XDG_CONFIG_HOME: join(open, 'closed') })).toBe('deny');
    expect(await fired(world, { XDG_CONFIG_HOME: join(world.home, 'mine') })).toBe('none');
  });

  test('every variable by which a dialect or an agent finds the folder of the user is covered', () => {
    const read = ['agents', 'gather', 'modules', 'runs', 'self-protection', 'sessions', 'settings'].flatMap(
      (room) =>
        readdirSync(join(SRC, room), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
          .map((name) => readFileSync(join(SRC, room, name), 'utf8')),
    );
    const named = new Set(
      read.flatMap((text) =>
        [...text.matchAll(/'((?:XDG_\w+_HOME|\w+_(?:HOME|DIR)))'/g)].map(([, name]) => name!),
      ),
    );
    expect([...named].filter((name) => !MOVERS.includes(name) && !/PROJECT_DIR/.test(name))).toEqual([]);
  });
});

describe('an environment without an answer', () => {
  const guarded = () => {
    const world = new World();
    const claude = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] } };
    world.put('.claude/settings.json', JSON.stringify(claude), world.home);
    return world;
  };
  test('a recursion depth in the environment does not disable a guard in a dialect that fails open', async () => {
    const world = guarded();
    expect(await fired(world, {})).toBe('deny');
    expect(await fired(world, { ANYHOOK_DEPTH: '9' })).toBe('deny');
  });
  test('an empty HOME falls back to the user database, and the project is not used as home', async () => {
    const world = hostile();
    expect([await fired(world, { HOME: '' }), world.marks]).toEqual(['none', '']);
    expect(dirname(world.marks)).toBe('.');
  });
});
