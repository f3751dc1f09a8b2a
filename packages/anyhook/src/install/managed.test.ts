/** The bridge in root-owned settings for all users of a machine, below a root folder of the tests. */

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AgentName, AGENT_NAMES, AGENTS } from '../agents/index.ts';
import type { InstallLocation, Setup } from '../agents/shared/bridge.ts';
import { removeTree } from '../settings/remove-tree.ts';
import { carryOut } from './carry-out.ts';
import { piecesOf, planInstall, planUninstall } from './plan.ts';
import { setupFor } from './setup.ts';

const TIERED = AGENT_NAMES.filter((name) => AGENTS[name].managed !== null);
const LAUNCHED = TIERED.filter((name) => AGENTS[name].inside === null);
let root = '';
let setup: Setup;
const put = (file: string, text: string, mode = 0o644) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
};
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'install-managed-')));
  put(join(root, 'usr/node'), '#!/bin/sh\nshift\necho "called: $*"\n', 0o755);
  put(join(root, 'usr/anyhook.cjs'), '');
  setup = {
    node: join(root, 'usr/node'),
    bin: join(root, 'usr/anyhook.cjs'),
    client: setupFor('closed').client,
    moduleUrl: 'file:///usr/open.js',
    failure: 'closed',
  };
});
afterEach(() => removeTree(root));

const where = (): InstallLocation => ({ scope: 'managed', home: root, cwd: '/', env: {} });
const install = (agent: AgentName) => carryOut(planInstall(AGENTS[agent], where(), setup));
const uninstall = (agent: AgentName) => carryOut(planUninstall(AGENTS[agent], where(), setup));
const filesOf = (agent: AgentName) => piecesOf(AGENTS[agent], where()).map(({ file }) => file);
const tree = () =>
  readdirSync(root, { recursive: true })
    .map(String)
    .filter((path) => !`${path}/`.startsWith('var/'))
    .toSorted();
const CLIENT = 'etc/anyhook/bin/anyhook-client';

describe('an installation for the whole machine', () => {
  test('a managed installation writes root-only files for agents that have managed settings', () => {
    expect(TIERED).toEqual([
      'claude-code',
      'codex',
      'gemini-cli',
      'qwen-code',
      'copilot-cli',
      'grok-build',
      'cursor',
      'opencode',
    ]);
    for (const file of TIERED.flatMap(filesOf)) expect(file.startsWith(join(root, 'etc/'))).toBe(true);
  });

  test.each(TIERED)('%s: files that did not exist are removed again', (agent) => {
    const before = tree();
    install(agent);
    expect(filesOf(agent).map((file) => existsSync(file))).toEqual(filesOf(agent).map(() => true));
    expect(planInstall(AGENTS[agent], where(), setup).idle).toBe(true);
    uninstall(agent);
    expect(tree()).toEqual(before);
  });

  test.each(LAUNCHED)('%s: the organisation’s own text stays byte for byte', (agent) => {
    const [piece] = piecesOf(AGENTS[agent], where());
    const before =
      piece!.kind === 'block'
        ? '# ours\nallowed_sandbox_modes = ["read-only"]\n'
        : '{\n\t"ours": [1, 2]  // why\n}';
    if (piece!.kind === 'whole') return;
    put(piece!.file, before);
    install(agent);
    expect(readFileSync(piece!.file, 'utf8')).toContain(`anyhook-client ${agent} `);
    uninstall(agent);
    expect(readFileSync(piece!.file, 'utf8')).toBe(before);
  });

  test.each(['copilot-cli', 'opencode'] as const)('%s: a file of another program is left alone', (agent) => {
    const [file] = filesOf(agent);
    put(file!, '{"theirs": true}\n');
    expect(() => planInstall(AGENTS[agent], where(), setup)).toThrow(/is there and is not ours/);
    expect(readFileSync(file!, 'utf8')).toBe('{"theirs": true}\n');
  });

  test('two agents share one client, which is removed with the last of them', () => {
    install('claude-code');
    install('codex');
    uninstall('claude-code');
    expect(existsSync(join(root, CLIENT))).toBe(true);
    uninstall('codex');
    expect(existsSync(join(root, 'etc/anyhook'))).toBe(false);
  });

  test('the requirements of Codex name the folder of the client, as Codex demands', () => {
    install('codex');
    const { hooks } = parse(readFileSync(filesOf('codex')[0]!, 'utf8')) as {
      hooks: Record<string, unknown>;
    };
    expect([hooks['managed_dir'], Object.keys(hooks).length]).toEqual([join(root, 'etc/anyhook/bin'), 12]);
  });
});

describe('the client of a managed installation', () => {
  const line = () => {
    install('claude-code');
    const { hooks } = JSON.parse(readFileSync(filesOf('claude-code')[0]!, 'utf8')) as {
      hooks: { PreToolUse: [{ hooks: [{ command: string }] }] };
    };
    return hooks.PreToolUse[0].hooks[0].command;
  };
  const run = (command: string, env: Readonly<Record<string, string>> = {}) => {
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', ...env },
    });
    return { status, stdout, stderr };
  };

  test('the managed client starts root’s program and never a daemon, which would run as the user', () => {
    const command = line();
    const conf = readFileSync(join(root, 'etc/anyhook/bin/anyhook-client.conf'), 'utf8');
    expect([conf.includes('socket'), conf.includes('managed=yes')]).toEqual([false, true]);
    expect(run(command)).toEqual({
      status: 0,
      // Root's Node starts the Node client, too.
      stdout: expect.stringMatching(/^called: (?:bridge )?claude-code --on-failure refuse\n$/),
      stderr: '',
    });
    expect(statSync(join(root, CLIENT)).mode & 0o777).toBe(0o755);
  });

  test('the managed client removes variables that make Node load other code', () => {
    put(setup.node, '#!/bin/sh\necho "[$NODE_OPTIONS$NODE_PATH]"\n', 0o755);
    expect(run(line(), { NODE_OPTIONS: '--require /tmp/x.js', NODE_PATH: '/tmp' }).stdout).toBe('[]\n');
  });

  test('the managed client searches no program on the PATH: without root’s program the call is refused', () => {
    const command = line();
    put(join(root, 'theirs/node'), '#!/bin/sh\nexit 0\n', 0o755);
    chmodSync(setup.node, 0o644);
    const { status, stderr } = run(command, { PATH: join(root, 'theirs') });
    expect([status, stderr]).toEqual([2, expect.stringContaining('anyhook refused this call because')]);
    expect(stderr).toContain('Ask your administrator');
  });
});
