/** Environment variables cannot move the user's settings into the project or disable a guard. */

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { MOVERS } from '../../src/gather/moved.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { PERSON, World } from '../trust/world.ts';

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

/** Root can replace the user database of a process, and with it the home folder of the account. */
const canMoveAccount =
  process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0 && existsSync('/etc/passwd');

describe.runIf(canMoveAccount)('a home folder inside the project, as in a container', () => {
  /** The world whose project is also HOME. The account has another home. */
  function container() {
    const world = new World();
    const passwd = join(world.home, 'passwd');
    writeFileSync(passwd, `root:x:0:0::${world.home}:/bin/sh\n`);
    const account = ['unshare', '-m', 'sh', '-c', 'mount --bind "$0" /etc/passwd && exec "$@"', passwd];
    const claude = {
      hooks: { PreToolUse: [{ matcher: 'Write', hooks: [{ type: 'command', command: RUNS }] }] },
    };
    world.put('.claude/settings.json', JSON.stringify(claude));
    const env = { HOME: world.project };
    const fire = async () => {
      const { stdout } = await world.run(
        ['fire', '--as', 'claude-code', '--json'],
        call(world),
        account,
        env,
      );
      return JSON.parse(stdout) as { verdict: string; reason: string };
    };
    const trustHome = (typed: string, by: readonly string[], more = {}) =>
      world.run(['trust', 'home'], typed, [...account, ...by], { ...env, ...more });
    return { world, account, env, fire, trustHome };
  }

  test('the refusal names the command that accepts the home folder, and the command ends the refusals', async () => {
    const { world, fire, trustHome } = container();
    const refused = await fire();
    expect([refused.verdict, refused.reason]).toEqual([
      'deny',
      `Refusing all tool calls: HOME (${world.project}) is also the project folder, so its files are not treated as your own. Set HOME to a folder outside the project, or accept it once in a terminal: anyhook trust home`,
    ]);
    const { status, stdout } = await trustHome('y\n', [PERSON]);
    expect([status, stdout]).toEqual([0, expect.stringContaining('Accepted for this project.')]);
    expect((await fire()).verdict).toBe('none');
    const acts = readFileSync(join(world.home, '.local/state/anyhook/acts.jsonl'), 'utf8');
    expect(acts).toContain(`accepted HOME=${world.project} in ${world.project}`);
  });

  test('no answer, no terminal and an agent do not accept a home folder', async () => {
    const { fire, trustHome } = container();
    expect((await trustHome('\n', [PERSON])).status).toBe(1);
    expect((await trustHome('y\n', [])).status).toBe(2);
    const byAgent = await trustHome('y\n', [PERSON, 'env', 'CLAUDECODE=1']);
    expect([byAgent.status, byAgent.stdout]).toEqual([2, expect.stringContaining('started by Claude Code')]);
    expect((await fire()).verdict).toBe('deny');
  });

  test('a file of the project with the same content does not accept a home folder', async () => {
    const { world, fire, trustHome } = container();
    await trustHome('y\n', [PERSON]);
    const kept = join('.local', 'share', 'anyhook');
    cpSync(join(world.home, kept), join(world.project, kept), { recursive: true });
    expect((await fire()).verdict).toBe('none');
    removeTree(join(world.home, kept));
    expect((await fire()).verdict).toBe('deny');
  });

  test('an agent cannot write the file that accepts a home folder, and cannot run the command', async () => {
    const { world, account, env, trustHome } = container();
    await trustHome('y\n', [PERSON]);
    const folder = join(world.home, '.local/share/anyhook/accepted-homes');
    const verdictOf = async (tool_name: string, tool_input: object) => {
      const event = JSON.stringify({ ...(JSON.parse(call(world)) as object), tool_name, tool_input });
      const { stdout } = await world.run(['fire', '--as', 'claude-code', '--json'], event, account, env);
      return (JSON.parse(stdout) as { verdict: string }).verdict;
    };
    expect([
      await verdictOf('Write', { file_path: join(folder, 'x.json'), content: '{}' }),
      await verdictOf('Bash', { command: `echo '{}' > ${folder}/x.json` }),
      await verdictOf('Bash', { command: 'anyhook trust home' }),
      await verdictOf('Bash', { command: 'echo trust home' }),
    ]).toEqual(['deny', 'deny', 'deny', 'none']);
  });

  test('install refuses in a project that contains the home folder until the user accepts it', async () => {
    const { world, account, env, trustHome } = container();
    const install = () => world.run(['install', 'codex', '--yes'], '', account, env);
    const refused = await install();
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('anyhook trust home')]);
    await trustHome('y\n', [PERSON]);
    expect([(await install()).status, existsSync(join(world.project, '.codex/hooks.json'))]).toEqual([
      0,
      true,
    ]);
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
