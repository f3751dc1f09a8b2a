/** Runs the test cases of every recipe, and checks the side effects of those that have some. */

import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readCases } from '../cases/read.ts';
import { runSuite } from '../cases/run.ts';
import { EVERYTHING } from '../events/capabilities.ts';
import type { EventInput } from '../events/event.ts';
import { createHooks } from '../library/create-hooks.ts';
import { definitionsIn } from '../runners/module/definitions-in.ts';
import { loadModule } from '../runners/module/load-module.mjs';
import { RECIPES, recipes } from './recipes.ts';

const NAMES = recipes().map(({ name }) => name);

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-recipes-')));
  for (const folder of ['project', 'state']) mkdirSync(join(root, folder));
  vi.stubEnv('XDG_STATE_HOME', join(root, 'state')); // stored by some recipes
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

test('there are at least twelve recipes, and each has a description', () => {
  expect(NAMES.length).toBeGreaterThanOrEqual(12);
  expect(recipes().filter(({ about }) => about === '')).toEqual([]);
});

describe.each(NAMES)('%s', (name) => {
  test('the recipe passes its cases', async () => {
    const read = await readCases(join(RECIPES, name, 'hook.test.yaml'));
    expect(read.faults).toEqual([]);
    const results = 'suite' in read ? await runSuite(read.suite) : [];
    expect(results.length).toBeGreaterThan(0);
    expect(results.flatMap(({ failures }) => failures)).toEqual([]);
  });
});

/** Fires as an agent in the project that can do everything. */
async function fired(name: string, ...events: EventInput[]) {
  const loaded = await loadModule(join(RECIPES, name, 'hook.ts'));
  if (!loaded.ok) throw new Error(loaded.problem.message);
  await using hooks = await createHooks({
    host: { name: 'test', can: EVERYTHING },
    settings: false,
    journal: false,
    trust: { selfProtection: false },
    cwd: join(root, 'project'),
    env: process.env, // as it is in this test, not as it was when a shared helper was started
    hooks: definitionsIn(loaded.exports, name).definitions.map(({ definition }) => definition),
  });
  const outcomes = [];
  for (const event of events) outcomes.push(await hooks.fire({ ids: { session: 'one' }, ...event }));
  return outcomes;
}
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
    cwd: join(root, 'project'),
    encoding: 'utf8',
  });
const put = (file: string, text: string) => writeFileSync(join(root, 'project', file), text);
const shell: EventInput = { name: 'tool.before', payload: { tool: 'shell', input: { command: 'ls' } } };

test('audit records every call', async () => {
  await fired('audit', shell, shell);
  const folder = join(root, 'state/anyhook-audit');
  const lines = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8').trim().split('\n'),
  );
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual(
    Array.from({ length: 2 }, () => expect.objectContaining({ tool: 'shell', session: 'one' })),
  );
});

test('budget asks once it is exceeded, and not before', async () => {
  const file = join(root, 'state/anyhook-budget/one.json');
  mkdirSync(join(root, 'state/anyhook-budget'));
  writeFileSync(file, JSON.stringify({ calls: 199, sinceMs: Date.now() }));
  const outcomes = await fired('budget', shell, shell);
  expect(outcomes.map(({ verdict }) => verdict)).toEqual(['none', 'ask']);
});

test('budget asks once the session has used its tokens, if the agent reveals them', async () => {
  const after = (inputTokens: number): EventInput => ({
    ...shell,
    usage: { session: { inputTokens, outputTokens: 1 } },
  });
  const outcomes = await fired('budget', after(1_500_000), after(3_000_001));
  expect(outcomes.map(({ verdict, reason }) => [verdict, reason])).toEqual([
    ['none', ''],
    ['ask', '3000002 tokens in this session; 2000000 were planned. Go on?'],
  ]);
});

test('notify sends one message if an agent reports its end by two events', async () => {
  const bin = join(root, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'notify-send'), `#!/bin/sh\necho "$@" >> '${root}/told'\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:${process.env['PATH'] ?? ''}`);
  await fired(
    'notify',
    { name: 'turn.stop', payload: { active: false } },
    { name: 'agent.idle', payload: { index: 0 } },
  );
  // The notification runs in the background, so it may follow the answer.
  await vi.waitFor(
    () => expect(readFileSync(join(root, 'told'), 'utf8')).toBe('Agent Your agent is done in project\n'),
    20_000,
  );
});

test('tests-before-stop resumes the agent once with the test output', async () => {
  put('package.json', JSON.stringify({ scripts: { test: 'echo two are red; exit 1' } }));
  const [first, second] = await fired(
    'tests-before-stop',
    { name: 'turn.stop', payload: { active: false } },
    { name: 'turn.stop', payload: { active: true } },
  );
  expect([first?.flow['resume'], second?.flow]).toEqual([expect.stringContaining('two are red'), {}]);
});

test('format-after-edit runs the project’s formatter on the file', async () => {
  put('package.json', JSON.stringify({ scripts: { format: 'echo formatted >' } }));
  await fired('format-after-edit', {
    name: 'tool.after',
    payload: { tool: 'write', input: { path: 'a.ts', content: '' }, content: [] },
  });
  expect(readFileSync(join(root, 'project/a.ts'), 'utf8')).toBe('formatted\n');
});

test('git-context adds the state of the repository to the model’s context', async () => {
  git('init', '--quiet', '-b', 'feature');
  git('commit', '--quiet', '--allow-empty', '-m', 'first');
  put('new.ts', '');
  const [outcome] = await fired('git-context', { name: 'session.start', payload: {} });
  expect(outcome?.forModel.join('\n')).toMatch(
    /On branch feature\.\nChanged:\n\?\? new\.ts\nLast commits:\n\w+ first/,
  );
});

test('commit-at-end commits on a branch, but never on main', async () => {
  git('init', '--quiet', '-b', 'main');
  git('config', 'user.name', 'T');
  git('config', 'user.email', 't@example.com');
  git('commit', '--quiet', '--allow-empty', '-m', 'first');
  put('new.ts', '');
  const end: EventInput = { name: 'session.end', payload: {} };
  await fired('commit-at-end', end);
  const before = git('log', '--oneline').split('\n').length;
  git('switch', '--quiet', '-c', 'feature');
  await fired('commit-at-end', end);
  expect([before, git('log', '-1', '--format=%s'), git('status', '--porcelain')]).toEqual([
    2,
    'wip: session one\n',
    '',
  ]);
});
