import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { AGENTS } from '../agents/index.ts';
import { locationsOf } from '../gather/folders.ts';
import { carryOut } from '../install/carry-out.ts';
import { planInstall } from '../install/plan.ts';
import { setupFor } from '../install/setup.ts';
import { ground } from '../menu/fixtures/ground.ts';
import { withTravel } from './doctor.ts';
import { findAgents } from './look/find-agents.ts';
import { inspect } from './look/inspection.ts';
import { whereItRuns } from './look/where-it-runs.ts';
import { probe } from './probe.ts';

/** Creates programs that only print a version, or fail. */
function place(programs: Readonly<Record<string, string>>, files: Readonly<Record<string, string>> = {}) {
  const { at, where, root } = ground(files);
  for (const [name, text] of Object.entries(programs)) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), `#!/bin/sh\n${text}\n`);
    chmodSync(at(name), 0o755);
  }
  return { at, root, where: { ...where, env: { PATH: `${at('bin')}:/usr/bin:/bin` } } };
}

test('agents are found on the PATH and in the usual folders, and only run with --version', async () => {
  const { at, where, root } = place({
    'bin/claude': `echo "$@" >> "${'$0'}.asked"; echo "2.1.325 (Claude Code)"`,
    'bin/codex': 'echo codex-cli 0.166.0',
    'bin/qwen': 'echo 0.24.4',
    'bin/goose': 'echo " 1.52.0"',
    'bin/gemini': 'echo broken >&2; exit 3',
    'home/.opencode/bin/opencode': 'echo 1.18.33',
  });
  writeFileSync(at('bin/pi'), 'no program'); // not executable, so not an agent
  const found = (await findAgents(locationsOf(where), Object.values(AGENTS))).filter(({ file }) =>
    file.startsWith(root),
  );
  expect(found).toEqual([
    { program: 'claude', agent: 'claude-code', file: at('bin/claude'), version: '2.1.325' },
    { program: 'codex', agent: 'codex', file: at('bin/codex'), version: '0.166.0' },
    {
      program: 'gemini',
      agent: 'gemini-cli',
      file: at('bin/gemini'),
      why: '--version ended with 3 and named none',
    },
    { program: 'goose', agent: 'goose', file: at('bin/goose'), version: '1.52.0' },
    { program: 'qwen', agent: 'qwen-code', file: at('bin/qwen'), version: '0.24.4' },
    { program: 'opencode', agent: 'opencode', file: at('home/.opencode/bin/opencode'), version: '1.18.33' },
  ]);
  expect(readFileSync(at('bin/claude.asked'), 'utf8')).toBe('--version\n');
});

test('an agent that creates its folder when asked for its version does not create it in the home folder', async () => {
  const { at, where, root } = place({ 'bin/gemini': 'mkdir -p "$HOME/.gemini" && echo 0.9.0' });
  const env = { ...where.env, HOME: at('home') };
  const found = await findAgents({ ...locationsOf(where), env }, Object.values(AGENTS));
  expect(found.find(({ file }) => file.startsWith(root))?.version).toBe('0.9.0');
  expect(existsSync(at('home/.gemini'))).toBe(false);
});

test('a half-installed agent has a reason instead of a version, and both installations of a duplicate agent are found', async () => {
  const { at, where, root } = place({
    'bin/gemini': 'echo "Error: Cannot find module gemini.js" >&2; echo "Node.js v20.20.2" >&2; exit 1',
    'bin/goose': 'echo 1.52.0',
    'home/.local/bin/goose': 'echo 2.9.0',
  });
  symlinkSync(at('gone/claude'), at('bin/claude'));
  const found = (await findAgents(locationsOf(where), Object.values(AGENTS))).filter(({ file }) =>
    file.startsWith(root),
  );
  expect(found).toEqual([
    {
      program: 'claude',
      agent: 'claude-code',
      file: at('bin/claude'),
      why: 'it is half installed: the link leads nowhere',
    },
    {
      program: 'gemini',
      agent: 'gemini-cli',
      file: at('bin/gemini'),
      why: '--version ended with 1 and named none: Error: Cannot find module gemini.js',
    },
    {
      program: 'goose',
      agent: 'goose',
      file: at('bin/goose'),
      version: '1.52.0',
      others: [{ file: at('home/.local/bin/goose'), version: '2.9.0' }],
    },
  ]);
});

test('shows which hooks the agent runs by itself, and which run through our bridge once installed', async () => {
  const claude = JSON.stringify({
    hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] },
  });
  const { at, where, root } = place(
    { 'bin/claude': 'echo 2.1.325', 'bin/codex': 'echo 0.166.0' },
    {
      'home/.claude/settings.json': claude,
      'home/.config/anyhook/hooks.json': '{"hooks": {"tool.before": [{"name": "mine", "run": "true"}]}}',
    },
  );
  const sheet = async () =>
    whereItRuns(await inspect(where))
      .filter(({ file }) => file.startsWith(root))
      .map(({ program, bridge, natively, bridged }) => ({
        program,
        bridge: bridge.map(({ scope }) => scope),
        natively: natively.map((id) => id.replace(root, '')),
        bridged: bridged.map((id) => id.replace(root, '')),
      }));
  const [theirs, ours] = [
    '/home/.claude/settings.json#PreToolUse[0][0]',
    '/home/.config/anyhook/hooks.json#mine',
  ];
  expect(await sheet()).toEqual([
    { program: 'claude', bridge: [], natively: [theirs], bridged: [] },
    { program: 'codex', bridge: [], natively: [], bridged: [] },
  ]);
  const put = { scope: 'user', home: at('home'), cwd: at('project'), env: {} } as const;
  carryOut(planInstall(AGENTS['claude-code'], put, setupFor('closed')));
  carryOut(planInstall(AGENTS.codex, put, setupFor('open')));
  expect(await sheet()).toEqual([
    { program: 'claude', bridge: ['user'], natively: [theirs], bridged: [ours] },
    { program: 'codex', bridge: ['user'], natively: [], bridged: [theirs, ours] },
  ]);
});

const PROBED = fileURLToPath(new URL('fixtures/probed-agent.mjs', import.meta.url));
const probed = (unlike: string) =>
  probe({
    agent: AGENTS['claude-code'],
    program: [process.execPath, PROBED, unlike],
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` },
  });

/** The answers for an agent that obeys everywhere. */
const HELD = 'without us the command ran, with us it did not';
const UNTRIED = 'no way is known to take it without a terminal; its record says:';
const ROUTES = [
  { route: 'subagents', verdict: 'asked', why: HELD, isToldApart: true },
  { route: 'mcp', verdict: 'asked', why: HELD },
  { route: 'background', verdict: 'asked', why: HELD },
  { route: 'code', verdict: 'asked', why: HELD },
  { route: 'bang', verdict: 'not-tried', why: `${UNTRIED} unasked` },
  { route: 'slash', verdict: 'asked', why: HELD },
  { route: 'resumed', verdict: 'asked', why: HELD },
  { route: 'worktree', verdict: 'asked', why: HELD },
];

test.each([
  ['one that obeys', '', 'enforced', HELD],
  ['one that does not', 'deaf', 'not-enforced', 'our guard refused, and the command ran'],
  ['one that never asks us', 'mute', 'not-enforced', 'the command ran, and our hooks were never called'],
])('the probe recognises %s', async (_, unlike, verdict, why) => {
  const routes = verdict === 'enforced' ? ROUTES : [];
  expect(await probed(unlike)).toEqual({ agent: 'claude-code', verdict, why, routes });
});

test('the probe recognises an agent that does nothing', async () => {
  const { at } = place({ 'bin/claude': 'echo no key >&2; exit 4' });
  expect(
    await probe({
      agent: AGENTS['claude-code'],
      program: [at('bin/claude')],
      env: { PATH: '/usr/bin:/bin' },
    }),
  ).toEqual({
    agent: 'claude-code',
    verdict: 'could-not-run',
    why: 'without any hook the command did not run either: it ended with 4; it said: no key',
    routes: [],
  });
});

test('the probe recognises an agent that obeys for plain calls but not for MCP tools', async () => {
  expect(await probed('deaf to mcp')).toEqual({
    agent: 'claude-code',
    verdict: 'not-enforced',
    why: 'a plain call is refused, but MCP tools: our guard refused, and it ran',
    routes: ROUTES.map((one) =>
      one.route === 'mcp' ? { route: 'mcp', verdict: 'open', why: 'our guard refused, and it ran' } : one,
    ),
  });
});

test('an attempt that another attempt blocked is tried alone', async () => {
  const { verdict, routes } = await probed('frail');
  expect([verdict, routes]).toEqual([
    'enforced',
    ROUTES.map((one) =>
      one.route === 'subagents'
        ? {
            route: 'subagents',
            verdict: 'not-tried',
            why: 'without any hook the command did not run either: it ended with 1',
          }
        : one,
    ),
  ]);
});

test('for each agent with our bridge: how its events travel, and what one costs', async () => {
  const { at, where, root } = place({
    'bin/claude': 'echo 2.1.325',
    'bin/codex': 'echo 0.166.0',
    'bin/opencode': 'echo 1.18.33',
  });
  const put = { scope: 'user', home: at('home'), cwd: at('project'), env: {} } as const;
  for (const name of ['claude-code', 'opencode'] as const)
    carryOut(planInstall(AGENTS[name], put, setupFor('closed')));
  const looked = await inspect(where);
  const travels = (await withTravel(whereItRuns(looked), looked))
    .filter(({ file }) => file.startsWith(root))
    .map(({ agent, travel }) => [agent, travel]);
  expect(travels).toEqual([
    [
      'claude-code',
      {
        by: 'program',
        ms: expect.any(Number),
        why: 'the daemon is not running; the first event starts it',
      },
    ],
    ['codex', undefined],
    ['opencode', { by: 'agent', ms: expect.any(Number), why: 'no program is started' }],
  ]);
});
