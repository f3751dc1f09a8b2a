/**
 * Checks samples that depend on installed agents, running processes or the user: they must match the output of the
 * views line by line.
 */

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AGENTS } from '../packages/anyhook/src/agents/index.ts';
import { stateLine } from '../packages/anyhook/src/cli/daemon.ts';
import { lint } from '../packages/anyhook/src/doctor/lints.ts';
import { inspect } from '../packages/anyhook/src/doctor/look/inspection.ts';
import type { HostSheet } from '../packages/anyhook/src/doctor/look/where-it-runs.ts';
import { findingLines, hostLines, probeLines } from '../packages/anyhook/src/doctor/show.ts';
import { EVERYTHING } from '../packages/anyhook/src/events/capabilities.ts';
import { createHooks } from '../packages/anyhook/src/index.ts';
import { scripted } from '../packages/anyhook/src/menu/fixtures/ground.ts';
import { openMenu } from '../packages/anyhook/src/menu/open-menu.ts';

/** The text below the first command in the n-th sample of a page. */
function shownIn(page: string, nth: number): string[] {
  const text = readFileSync(join(import.meta.dirname, '../docs', page), 'utf8');
  const sample = [...text.matchAll(/^```console\n(.*?)^```/gms)][nth - 1]![1]!;
  return sample.trimEnd().split('\n').slice(1);
}

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-pages-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const [home, cwd] = [join(root, 'home'), join(root, 'project')];
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text, { mode: 0o755 });
};
const KNOWN = Object.values(AGENTS);
const plain = (_style: string, text: string): string => text;
const screen = { paint: plain, width: 80, home, cwd };

const sheet = (over: Partial<HostSheet> & Pick<HostSheet, 'program' | 'agent'>): HostSheet => ({
  file: join(home, '.local/bin', over.program),
  bridge: [],
  natively: [],
  bridged: [],
  withoutJudge: [],
  moved: [],
  ...over,
});

test('docs/doctor.md shows agents and a finding as the doctor prints them', async () => {
  put(
    'home/.claude/settings.json',
    '{\n "hooks": {\n  "PreToolUse": [\n   { "matcher": "Bash", "hooks": [{ "type": "command",\n     "command": "true" }] },\n   {\n    "matcher": "bash", "hooks": [{ "type": "command", "command": "true" }] }\n  ]\n }\n}',
  );
  mkdirSync(cwd, { recursive: true });
  const claude = sheet({
    program: 'claude',
    agent: 'claude-code',
    version: '2.1.325',
    bridge: [{ scope: 'user', file: join(home, '.claude/settings.json'), isCurrent: true }],
    natively: ['a', 'b'],
    bridged: ['c'],
    lastCall: { atMs: new Date(2026, 10, 19, 14, 2).getTime() },
    travel: { by: 'daemon', ms: 4.1, why: 'pid 4711' },
  });
  const codex = sheet({ program: 'codex', agent: 'codex', version: '0.166.0' });
  const found = lint(await inspect({ home, cwd, env: { PATH: '/usr/bin:/bin' } }));
  const wrong = found.filter(({ code }) => code === 'wrong-case');
  expect([...hostLines([claude, codex], KNOWN, screen), '', ...findingLines(wrong, screen)]).toEqual(
    shownIn('doctor.md', 1),
  );
});

test('docs/doctor.md shows the verdicts of the probe as the doctor prints them', () => {
  const kept = 'without us the command ran, with us it did not';
  const lines = probeLines(
    [
      {
        agent: 'codex',
        verdict: 'enforced',
        why: kept,
        routes: [
          {
            route: 'stdin',
            verdict: 'shut',
            why: 'a bare shell, into which it sends keys unasked, was not opened',
          },
          {
            route: 'bang',
            verdict: 'not-tried',
            why: 'no way is known to take it without a terminal; its record says: unknown',
          },
          { route: 'mcp', verdict: 'asked', why: kept },
        ],
      },
      { agent: 'goose', verdict: 'not-enforced', why: 'our guard refused, and the command ran', routes: [] },
    ],
    KNOWN,
    screen,
  );
  expect(['…', ...lines]).toEqual(shownIn('doctor.md', 2));
});

test('docs/menu.md shows the first page of the menu', async () => {
  put('home/.claude/settings.json', CLAUDE);
  put('project/.anyhook/hooks.json', '{ "hooks": { "tool.before": [{ "run": "true" }] } }');
  const where = { home, cwd, env: { PATH: process.env['PATH'] } };
  const hooks = await createHooks({
    host: { name: 'test', can: EVERYTHING },
    journal: false,
    ...where,
    trust: { selfProtection: false },
  });
  const ui = scripted([]);
  await openMenu({ ui, ...where, hooks });
  await hooks.close();
  expect(ui.told.map((line) => line.replace('  By file', '❯ By file'))).toEqual(shownIn('menu.md', 1));
});
const CLAUDE = JSON.stringify({
  hooks: {
    PreToolUse: [
      {
        hooks: [
          { type: 'command', command: 'true' },
          { type: 'command', command: 'exit 0' },
        ],
      },
    ],
  },
});

test('docs/daemon.md shows the output of `daemon status`', () => {
  const status = { pid: 4711, sessions: 2, events: 318, rssBytes: 46_000_000, version: '', program: '' };
  expect(shownIn('daemon.md', 1)[0]).toBe(stateLine(status));
});
