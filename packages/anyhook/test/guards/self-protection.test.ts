/**
 * Runs the corpus `test/corpus/self-protection`: attempts to disable a guard are stopped, and harmless calls are
 * allowed.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../../src/events/capabilities.ts';
import { createHooks, type Hooks, type Options } from '../../src/index.ts';
import { SELF_PROTECTION } from '../../src/self-protection/index.ts';
import { figure } from './figures.ts';

type Call = readonly [tool: string, input: Record<string, unknown>];

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-corpus-')));
const [home, project] = [join(root, 'home'), join(root, 'project')];
const packageRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const corpus = (name: string): Call[] =>
  readFileSync(new URL(`../corpus/self-protection/${name}.jsonl`, import.meta.url), 'utf8')
    .replaceAll('PACKAGE', packageRoot)
    .replaceAll(/(?<!\$|\{)\bHOME\b(?!\}|\+|')/g, home)
    .replaceAll(/\bPROJECT\b/g, project)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Call);

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text, { mode: 0o755 });
};
const open = (more: Partial<Options> = {}): Promise<Hooks> =>
  createHooks({
    host: { name: 'test', can: EVERYTHING },
    home,
    cwd: project,
    env: {},
    journal: false,
    ...more,
  });
const verdictsOf = async (hooks: Hooks, calls: readonly Call[]) => {
  const verdicts: string[] = [];
  for (const [tool, input] of calls) {
    const { verdict, reasons } = await hooks.fire({ name: 'tool.before', payload: { tool, input } });
    const isOurs = reasons.every(({ by, broken }) => by === SELF_PROTECTION && broken !== true);
    verdicts.push(isOurs ? verdict : `${verdict} by somebody else: ${reasons[0]?.text}`);
  }
  return verdicts;
};

let hooks: Hooks;
beforeAll(async () => {
  put('home/.config/anyhook/hooks.json', '{ "hooks": { "session.end": [{ "run": "true" }] } }');
  put('home/.local/share/anyhook/trust/x.json', '{}');
  for (const file of ['.claude/settings.json', '.qwen/settings.json', '.kimi-code/config.toml'])
    put(`home/${file}`, '');
  for (const file of ['home/.copilot/hooks', 'home/.grok/hooks', 'project/.github/hooks'])
    put(`${file}/anyhook.json`, '{}');
  put('home/.local/state/anyhook/journal/s.jsonl', '');
  // Servers behind the proxy, recorded as `install --mcp` does.
  const wrapped = [join(home, '.claude.json'), join(home, '.codex/config.toml'), join(project, '.mcp.json')];
  put(
    'home/.local/share/anyhook/installs/claude-code-user-mcp-0a1b.json',
    JSON.stringify({ files: wrapped.map((path) => ({ path })) }),
  );
  put(
    'project/.anyhook/hooks.json',
    '{ "hooks": { "tool.before": [{ "match": "nothing", "run": "./guard.sh" }] } }',
  );
  put('project/guard.sh', '#!/bin/sh\nexit 2\n');
  put('project/src/main.ts', 'export {};\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, stdio: 'ignore' });
  git('init', '-q');
  git('add', 'guard.sh', 'src');
  writeFileSync(join(project, 'guard.sh'), '#!/bin/sh\n# stricter than what git has\nexit 2\n');
  hooks = await open();
});
afterAll(async () => {
  await hooks.close();
  rmSync(root, { recursive: true, force: true });
});

describe('an agent that wants to be rid of its guards', () => {
  const attempts = corpus('held');
  const everyday = corpus('harmless');

  test(`self-protection stops every one of ${attempts.length} attempts to disable guards`, async () => {
    const verdicts = await verdictsOf(hooks, attempts);
    const passed = attempts.filter((_, at) => !['deny', 'ask'].includes(verdicts[at]!));
    figure('self-protection', 'disarming attempts held', attempts.length - passed.length, attempts.length);
    expect(passed).toEqual([]);
  });

  test(`self-protection stops none of ${everyday.length} everyday calls`, async () => {
    const verdicts = await verdictsOf(hooks, everyday);
    const held = everyday.flatMap((call, at) => (verdicts[at] === 'none' ? [] : [[verdicts[at], ...call]]));
    figure('self-protection', 'everyday calls held', held.length, everyday.length);
    expect(held).toEqual([]);
  });

  test('control: without self-protection every attempt succeeds', async () => {
    const bare = await open({ trust: { selfProtection: false } });
    const verdicts = await verdictsOf(bare, attempts);
    await bare.close();
    expect(new Set(verdicts)).toEqual(new Set(['none']));
  });
});
