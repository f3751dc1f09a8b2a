/** A project guard in an agent's own dialect is left to the agent only if the agent is known to run it. */

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { codexHookHash } from '../src/agents/codex/trust.ts';
import { AGENT_NAMES, AGENTS, type AgentName } from '../src/agents/index.ts';
import type { FoundAgent } from '../src/doctor/look/find-agents.ts';
import { inspect } from '../src/doctor/look/inspection.ts';
import { whereItRuns } from '../src/doctor/look/where-it-runs.ts';
import { EVERYTHING } from '../src/events/capabilities.ts';
import { createHooks } from '../src/library/create-hooks.ts';
import { removeTree } from '../src/settings/remove-tree.ts';
import { openBridge } from './faults/bridges.ts';

const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));
const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-left-')));
const [home, project, ran] = ['home', 'project', 'ran'].map((name) => join(root, name)) as [
  string,
  string,
  string,
];
afterAll(() => removeTree(root));

const put = (base: string, path: string, text: string) => {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
};

beforeEach(() => {
  mkdirSync(home, { recursive: true });
  mkdirSync(project, { recursive: true });
  vi.stubEnv('HOME', home);
  for (const name of ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, '');
  put(project, 'guard.sh', `#!/bin/sh\necho x >> ${ran}\necho refused by the project >&2\nexit 2\n`);
  chmodSync(join(project, 'guard.sh'), 0o755);
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const path of [home, project, ran]) rmSync(path, { recursive: true, force: true });
});

const claudeShaped = (word: string) =>
  JSON.stringify({ hooks: { [word]: [{ hooks: [{ type: 'command', command: './guard.sh' }] }] } });
const piExtension = `import { appendFileSync } from 'node:fs';
export default (pi) => pi.on('tool_call', () => {
  appendFileSync(${JSON.stringify(ran)}, 'x');
  return { block: true, reason: 'refused by the project' };
});\n`;
const json = (value: unknown) => JSON.stringify(value);

interface ProjectGuard {
  readonly file: string;
  readonly text: string;
  /** Files that the agent writes in its home when its user trusts the project. Null if unknown. */
  readonly trusted: Readonly<Record<string, string>> | null;
}
const codexEntry = { word: 'PreToolUse', handler: { type: 'command', command: './guard.sh' } };
/** Agents that skip project hooks until their user trusts the folder. */
const ASKING: Partial<Record<AgentName, readonly ProjectGuard[]>> = {
  codex: [
    {
      file: '.codex/hooks.json',
      text: claudeShaped('PreToolUse'),
      trusted: {
        '.codex/config.toml': `[projects."${project}"]\ntrust_level = "trusted"\n[hooks.state."${project}/.codex/hooks.json:pre_tool_use:0:0"]\ntrusted_hash = "${codexHookHash(codexEntry)}"\n`,
      },
    },
  ],
  'gemini-cli': [
    {
      file: '.gemini/settings.json',
      text: claudeShaped('BeforeTool'),
      trusted: { '.gemini/trustedFolders.json': json({ [project]: 'TRUST_FOLDER' }) },
    },
    {
      file: '.gemini/settings.json',
      text: claudeShaped('BeforeTool'),
      trusted: { '.gemini/settings.json': json({ security: { folderTrust: { enabled: false } } }) },
    },
  ],
  'qwen-code': [{ file: '.qwen/settings.json', text: claudeShaped('PreToolUse'), trusted: null }],
  cursor: [
    {
      file: '.cursor/hooks.json',
      text: json({ version: 1, hooks: { preToolUse: [{ command: './guard.sh' }] } }),
      trusted: null,
    },
  ],
  'copilot-cli': [
    {
      file: '.github/hooks/guard.json',
      text: json({ version: 1, hooks: { preToolUse: [{ type: 'command', bash: './guard.sh' }] } }),
      trusted: { '.copilot/config.json': json({ trusted_folders: [dirname(project)] }) },
    },
  ],
  'grok-build': ['.grok/hooks/guard.json', '.claude/settings.json'].map((file) => ({
    file,
    text: claudeShaped('PreToolUse'),
    trusted: {
      '.grok/trusted_folders.toml': `[[folders]]\npath = "${project}"\ndecided_at = "2026-11-01"\n`,
    },
  })),
  pi: [
    {
      file: '.pi/extensions/guard.js',
      text: piExtension,
      trusted: { '.pi/agent/trust.json': json({ [project]: true }) },
    },
  ],
};
const CASES = Object.entries(ASKING).flatMap(([agent, guards]) =>
  guards.map((guard) => ({ agent: agent as AgentName, ...guard })),
);

async function trustInAnyhook(hashes?: readonly string[]): Promise<void> {
  const host = { name: 'a test', can: EVERYTHING };
  const hooks = await createHooks({ host, cwd: project, ...(hashes && { trust: { hashes } }) });
  const found = hooks.examined.map(({ judgement }) => judgement.hash);
  for (const { entry } of hooks.examined) hooks.grant(entry);
  await hooks.close();
  if (hashes === undefined && found.length > 0) await trustInAnyhook(found);
}
async function askShell(agent: AgentName, folder = project) {
  const bridge = await openBridge(agent, folder);
  const heard = await bridge.ask('shell', { command: 'ls' });
  await bridge.close();
  return heard;
}

describe.each(CASES)('$agent, $file', ({ agent, file, text, trusted }) => {
  test('a guard that is trusted in anyhook runs there, if the agent has no record of trusting the folder', async () => {
    put(project, file, text);
    await trustInAnyhook();
    const { came, text: said } = await askShell(agent);
    expect(came).toBe('refused');
    expect(said).toContain('refused by the project');
  });

  test.skipIf(trusted === null)(
    'the same guard is left to the agent, if the agent’s own record says that it runs it',
    async () => {
      put(project, file, text);
      await trustInAnyhook();
      for (const [path, record] of Object.entries(trusted!)) put(home, path, record);
      expect((await askShell(agent)).came).toBe('passed');
      expect(existsSync(ran)).toBe(false);
    },
  );

  test.skipIf(trusted === null)('a record for another folder does not count', async () => {
    put(project, file, text);
    await trustInAnyhook();
    for (const [path, record] of Object.entries(trusted!))
      if (record.includes(root)) put(home, path, record.replaceAll(root, '/elsewhere'));
    const { came } = await askShell(agent);
    expect(came).toBe('refused');
  });
});

test('every agent’s record says when it runs a project’s hooks, and those that ask first are tried above', () => {
  const asking = AGENT_NAMES.filter((name) => AGENTS[name].projectHooks !== 'always');
  expect(asking.toSorted()).toEqual(Object.keys(ASKING).toSorted());
});

test('a hook of the user that Codex was never told to trust is run by anyhook there', async () => {
  put(home, '.codex/hooks.json', claudeShaped('PreToolUse').replace('./guard.sh', join(project, 'guard.sh')));
  expect((await askShell('codex')).came).toBe('refused');
});

test('a hook that its user has switched off in Codex is run by nobody', async () => {
  const file = join(home, '.codex/hooks.json');
  put(home, '.codex/hooks.json', claudeShaped('PreToolUse').replace('./guard.sh', join(project, 'guard.sh')));
  put(home, '.codex/config.toml', `[hooks.state."${file}:pre_tool_use:0:0"]\nenabled = false\n`);
  expect((await askShell('codex')).came).toBe('passed');
});

test('a guard in a folder above the session’s is not left to Claude Code, which reads the session’s folder only', async () => {
  put(
    project,
    '.claude/settings.json',
    claudeShaped('PreToolUse').replace('./guard.sh', '$CLAUDE_PROJECT_DIR/guard.sh'),
  );
  mkdirSync(join(project, 'sub'));
  await trustInAnyhook();
  expect((await askShell('claude-code')).came).toBe('passed');
  expect((await askShell('claude-code', join(project, 'sub'))).came).toBe('refused');
});

test('a trusted guard that another agent ran is not taken for missing where the agent runs it by itself', async () => {
  put(project, '.claude/settings.json', claudeShaped('PreToolUse'));
  await trustInAnyhook();
  expect((await askShell('codex')).came).toBe('refused');
  expect((await askShell('claude-code')).came).toBe('passed');
});

test('a Claude Code hook on MCP tools runs by anyhook in Grok Build, which never fires such matchers', async () => {
  const hook = { type: 'command', command: join(project, 'guard.sh') };
  put(
    home,
    '.claude/settings.json',
    json({
      hooks: {
        PreToolUse: [
          { matcher: 'mcp__db__.*', hooks: [hook] },
          { matcher: 'Bash', hooks: [hook] },
        ],
      },
    }),
  );
  const bridge = await openBridge('grok-build', project);
  const [mcp, shell] = [await bridge.ask('mcp__db__drop', {}), await bridge.ask('shell', { command: 'ls' })];
  await bridge.close();
  expect([mcp.came, shell.came]).toEqual(['refused', 'passed']);
});

test('doctor counts a project’s hook for Grok Build by itself only where Grok’s record trusts the folder', async () => {
  put(project, '.grok/hooks/guard.json', claudeShaped('PreToolUse'));
  await trustInAnyhook();
  const nativeIn = async () => {
    const looked = await inspect({ cwd: project });
    const found = { program: 'grok', agent: 'grok-build' } as FoundAgent;
    return whereItRuns({ ...looked, agents: [found] }).map(({ natively }) => natively.length);
  };
  expect(await nativeIn()).toEqual([0]);
  put(home, '.grok/trusted_folders.toml', `[[folders]]\npath = "${project}"\n`);
  expect(await nativeIn()).toEqual([1]);
});

test('an answer that was cached while Grok ran a project’s hooks is not used after the folder lost its trust', async () => {
  put(project, '.grok/hooks/guard.json', claudeShaped('PostToolUse'));
  await trustInAnyhook();
  put(home, '.grok/trusted_folders.toml', `[[folders]]\npath = "${project}"\n`);
  const input = JSON.stringify({
    hook_event_name: 'PostToolUse',
    session_id: 's',
    cwd: project,
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  });
  const fire = () =>
    spawnSync(process.execPath, [CLI, 'fire', '--as', 'grok-build', '--host', 'grok-build'], {
      cwd: project,
      env: { PATH: process.env['PATH'], HOME: home },
      input,
    });
  fire();
  fire();
  expect(existsSync(ran)).toBe(false);
  rmSync(join(home, '.grok/trusted_folders.toml'));
  fire();
  expect(existsSync(ran)).toBe(true);
});

test('a bridge that Codex skips because the home folder has moved is named when a session begins elsewhere', async () => {
  const handler = { type: 'command', command: '/home/me/.local/share/anyhook/anyhook-client codex' };
  put(home, '.codex/hooks.json', json({ hooks: { PreToolUse: [{ hooks: [handler] }] } }));
  const hash = codexHookHash({ word: 'PreToolUse', handler });
  const trustAt = (path: string) =>
    put(
      home,
      '.codex/config.toml',
      `[hooks.state."${path}/.codex/hooks.json:pre_tool_use:0:0"]\ntrusted_hash = "${hash}"\n`,
    );
  const atStart = async () => {
    const hooks = await createHooks({ host: { name: 'claude-code', can: EVERYTHING }, cwd: project });
    const { forPerson } = await hooks.fire({ name: 'session.start', payload: { source: 'startup' } });
    await hooks.close();
    return forPerson.join('\n');
  };
  trustAt('/home/before');
  expect(await atStart()).toContain(
    'its trust is for /home/before/.codex/hooks.json, but the file has moved',
  );
  trustAt(home);
  expect(await atStart()).not.toContain('skips the bridge');
});
