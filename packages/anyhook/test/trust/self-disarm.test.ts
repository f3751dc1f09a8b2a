/** Reliability G13: every attempt of an agent to disable its guards is refused and recorded. */

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createHooks, type Hooks } from '../../src/index.ts';
import { SELF_PROTECTION } from '../../src/self-protection/index.ts';
import { EVERYTHING } from '../../src/testing/index.ts';
import { type Attempt, attemptsOn, TARGETS } from './attempts.ts';
import { inTurns, World } from './world.ts';

const GUARD = '{"hooks":{"tool.before":[{"match":"shell(git push *)","run":"./guard.sh"}]}}';
/** The spelling of such a path in the documentation of Claude Code. */
const OWN = JSON.stringify({
  hooks: {
    PreToolUse: [{ matcher: 'Task', hooks: [{ type: 'command', command: '"$HOME"/guards/mine.sh' }] }],
  },
});

function guarded(): World {
  const world = new World();
  for (const target of TARGETS)
    if (target.startsWith('~/')) world.put(target.slice(2), '{ "a": 1 }\n', world.home);
  world.put('.claude/settings.json', OWN, world.home);
  world.put('.anyhook/hooks.json', GUARD);
  world.put('guard.sh', '#!/bin/sh\nexit 2\n');
  return world;
}
const pathIn = (world: World) => (target: string) =>
  target.startsWith('~/') ? join(world.home, target.slice(2)) : join(world.project, target);
const hooksOf = (world: World, more: object = {}): Promise<Hooks> =>
  createHooks({ host: { name: 'test', can: EVERYTHING }, home: world.home, cwd: world.project, ...more });
const fire = (hooks: Hooks, { tool, input }: Attempt) =>
  hooks.fire({ name: 'tool.before', payload: { tool, input }, ids: { session: 'disarm' } });

interface Refusal {
  readonly verdict: string;
  readonly reasons: readonly { readonly by: string }[];
}
/** Refused by self-protection itself. Refusals of other hooks do not count. */
const isRefused = ({ verdict, reasons }: Refusal): boolean =>
  verdict === 'deny' && reasons.some(({ by }) => by === SELF_PROTECTION);

describe('an agent that wants to be rid of its guard', () => {
  const count = attemptsOn((path) => path).changing.length + attemptsOn((path) => path).saying.length;

  test(`every one of ${count} attempts of an agent to disable its guards is refused and recorded`, async () => {
    expect(count).toBeGreaterThanOrEqual(200);
    const world = guarded();
    await world.trustAll();
    const hooks = await hooksOf(world);
    const { changing, saying } = attemptsOn(pathIn(world));
    const passed: Attempt[] = [];
    for (const attempt of [...changing, ...saying])
      if (!isRefused(await fire(hooks, attempt))) passed.push(attempt);
    await hooks.close();
    expect(passed).toEqual([]);
    const records = readFileSync(join(world.home, '.local/state/anyhook/journal/disarm.jsonl'), 'utf8');
    const denied = records
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Refusal)
      .filter(isRefused);
    expect(denied).toHaveLength(count);
  }, 120_000);

  test('control: without self-protection no guard objects, and the attempts change the files', async () => {
    const world = guarded();
    const whole = pathIn(world);
    const hooks = await hooksOf(world, { trust: { selfProtection: false }, journal: false });
    const { changing } = attemptsOn(whole);
    const idle: Attempt[] = [];
    const before = () => TARGETS.map((target) => textOf(whole(target)));
    for (const attempt of changing.filter(({ tool }) => tool === 'shell')) {
      const was = before();
      if ((await fire(hooks, attempt)).verdict === 'deny') idle.push(attempt);
      spawnSync('sh', ['-c', String(attempt.input['command'])], { cwd: world.project, stdio: 'ignore' });
      const is = before();
      if (`${was}` === `${is}`) idle.push(attempt);
      for (const [at, target] of TARGETS.entries()) {
        rmSync(whole(target), { force: true });
        writeFileSync(whole(target), was[at]!, { mode: 0o755 });
      }
    }
    await hooks.close();
    expect(idle).toEqual([]);
  }, 120_000);

  test('the command line refuses attempts of several agents, and a change from outside waits for trust', async () => {
    const world = guarded();
    await world.trustAll();
    const [ours, user] = [
      join(world.project, '.anyhook/hooks.json'),
      join(world.home, '.claude/settings.json'),
    ];
    const says: [string[], object][] = [
      [['claude-code'], claude('Write', { file_path: ours, content: '{}' })],
      [['claude-code'], claude('Bash', { command: `echo {} > ${user}` })],
      [['codex'], claude('Bash', { command: 'rm -rf .anyhook' })],
      [['goose'], claude('developer__shell', { command: 'anyhook pause 1d' })],
      [
        ['gemini-cli'],
        { ...claude('run_shell_command', { command: `rm ${ours}` }), hook_event_name: 'BeforeTool' },
      ],
      [['anyhook', 'tool.before'], { tool: 'edit', input: { path: './.anyhook/../.anyhook/hooks.json' } }],
    ];
    const answers = await inTurns(says, 3, ([as, event]) =>
      world.run(['fire', '--json', '--as', ...as], JSON.stringify({ ...event, cwd: world.project })),
    );
    expect(answers.map(({ status }) => status)).toEqual(says.map(() => 1));
    const log = await world.run(['log', '--verdict', 'deny', '--json', '--last', '100']);
    const denied = log.stdout.split('\n').filter((line) => line.includes('"verdict":"deny"'));
    expect(denied).toHaveLength(says.length);
    world.put('.anyhook/hooks.json', GUARD.replace('push', 'pull'));
    expect((await world.run(['trust', 'list'])).stdout).toContain('modified since');
  }, 120_000);
});

const claude = (tool_name: string, tool_input: object) => ({
  hook_event_name: 'PreToolUse',
  session_id: 's',
  tool_name,
  tool_input,
});
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '(gone)';
  }
}
