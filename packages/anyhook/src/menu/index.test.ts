import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { createHooks, defineHook, type Options } from '../index.ts';
import { hookMenu } from './index.ts';

function ground(files: Readonly<Record<string, string>>) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'menu-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return { home: join(root, 'home'), cwd: join(root, 'project') };
}
const open = async (options: Omit<Options, 'host'>) => {
  const hooks = await createHooks({
    host: { name: 'test', can: EVERYTHING },
    journal: false,
    ...options,
    trust: { selfProtection: false, ...options.trust },
  });
  onTestFinished(() => hooks.close());
  return hooks;
};

test('the menu has a row for every hook with source, event, trust state and last run', async () => {
  const { home, cwd } = ground({
    'home/.config/opta/config.json': JSON.stringify({
      hooks: [
        {
          event: 'tool.pre',
          matcher: 'run_command',
          command: 'exit 1',
          statusMessage: 'Checking…',
          timeout: 500,
        },
        { event: 'tool.pre', command: 7 },
      ],
    }),
    'project/.opta/config.json':
      '{"hooks": [\n{ "event": "tool.post", "command": "true", "onFailure": "ask" }]}',
  });
  const hooks = await open({
    home,
    cwd,
    hooks: [defineHook({ on: 'tool.before', name: 'mine', run: () => undefined })],
  });
  const { runs } = await hooks.fire({ name: 'tool.before', payload: { tool: 'run_command', input: {} } });
  const [user, project] = [join(home, '.config/opta/config.json'), join(cwd, '.opta/config.json')];
  const rows = hookMenu(hooks, runs);
  expect(rows.map(({ lastRun: _lastRun, ...row }) => row)).toEqual([
    {
      id: `opta:${user}#1`,
      label: 'exit 1',
      dialect: 'opta',
      event: 'tool.pre',
      matcher: 'run_command',
      layer: 'user',
      file: user,
      line: 1,
      trust: 'yours',
      onFailure: 'block',
      enabled: true,
      isOff: false,
      status: 'Checking…',
      timeoutMs: 500,
    },
    {
      id: `opta:${user}#2`,
      label: `opta:${user}#2`,
      dialect: 'opta',
      event: 'tool.pre',
      layer: 'user',
      file: user,
      line: 1,
      trust: 'yours',
      onFailure: 'block',
      enabled: false,
      isOff: false,
      why: 'not-loaded: hooks[1].command: expected a string, got a number (7).',
      timeoutMs: 10_000,
    },
    {
      id: `opta:${project}#1`,
      label: 'true',
      dialect: 'opta',
      event: 'tool.post',
      layer: 'project',
      file: project,
      line: 2,
      trust: 'unknown',
      hash: hooks.examined[0]!.judgement.hash,
      onFailure: 'ask',
      enabled: false,
      isOff: false,
      why: `not-trusted: unknown (${hooks.examined[0]!.judgement.hash})`,
      timeoutMs: 10_000,
    },
    expect.objectContaining({
      dialect: 'anyhook',
      event: 'tool.before',
      layer: 'session',
      trust: 'yours',
      enabled: true,
      isOff: false,
    }),
  ]);
  expect(rows[0]?.lastRun?.answer?.effects.map(({ kind }) => kind)).toEqual(['deny']);
  expect(rows[2]?.lastRun).toBeUndefined();
});

test('the menu shows a project hook as trusted once it is', async () => {
  const { home, cwd } = ground({
    'project/.opta/config.json': '{"hooks":[{"event":"error","command":"true"}]}',
  });
  mkdirSync(home);
  const { examined } = await open({ home, cwd });
  const hooks = await open({ home, cwd, trust: { hashes: examined.map(({ judgement }) => judgement.hash) } });
  expect(
    hookMenu(hooks).map(({ label, trust, enabled, onFailure }) => [label, trust, enabled, onFailure]),
  ).toEqual([['true', 'trusted', true, 'allow']]);
});

test('the menu is empty without hooks', async () => {
  const { home, cwd } = ground({ 'project/x': '', 'home/x': '' });
  expect(hookMenu(await open({ home, cwd }))).toEqual([]);
});
