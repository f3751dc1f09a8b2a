/**
 * Built-in guards work in every agent, also where the agent runs all configured hooks itself and anyhook has no hook
 * to run.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AGENT_NAMES, AGENTS, type AgentName } from '../src/agents/index.ts';
import { removeTree } from '../src/settings/remove-tree.ts';
import { openBridge } from './faults/bridges.ts';

const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));
const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-every-agent-')));
const [home, project] = [join(root, 'home'), join(root, 'project')];
afterAll(() => removeTree(root));

beforeEach(() => {
  mkdirSync(home, { recursive: true });
  mkdirSync(project, { recursive: true });
  vi.stubEnv('HOME', home);
  for (const name of ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
  rmSync(project, { recursive: true, force: true });
});

const claudeShaped = (word: string) =>
  JSON.stringify({
    hooks: { [word]: [{ matcher: 'NoSuchTool', hooks: [{ type: 'command', command: 'true' }] }] },
  });
const piExtension = 'export default () => {};\n';

/** A user hook in the agent's own settings, which the agent runs itself. */
const OWN_HOOK: Readonly<Record<AgentName, { readonly file: string; readonly text: string }>> = {
  'claude-code': { file: '.claude/settings.json', text: claudeShaped('PreToolUse') },
  codex: { file: '.codex/hooks.json', text: claudeShaped('PreToolUse') },
  'gemini-cli': { file: '.gemini/settings.json', text: claudeShaped('BeforeTool') },
  goose: { file: '.agents/plugins/own/hooks/hooks.json', text: claudeShaped('PreToolUse') },
  'qwen-code': { file: '.qwen/settings.json', text: claudeShaped('PreToolUse') },
  'kimi-code': {
    file: '.kimi-code/config.toml',
    text: '[[hooks]]\nevent = "PreToolUse"\nmatcher = "NoSuchTool"\ncommand = "true"\n',
  },
  'copilot-cli': {
    file: '.copilot/hooks/own.json',
    text: '{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"true"}]}}',
  },
  'grok-build': { file: '.grok/hooks/own.json', text: claudeShaped('PreToolUse') },
  cursor: {
    file: '.cursor/hooks.json',
    text: '{"version":1,"hooks":{"preToolUse":[{"matcher":"NoSuchTool","command":"true"}]}}',
  },
  opencode: {
    file: '.config/opencode/plugin/own.js',
    text: 'export const Own = async () => ({});\n',
  },
  pi: { file: '.pi/agent/extensions/own.js', text: piExtension },
  'oh-my-pi': { file: '.omp/agent/hooks/pre/own.js', text: piExtension },
};

function configureOnlyOwnHook(agent: AgentName): string {
  const { file, text } = OWN_HOOK[agent];
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), text);
  return join(home, file);
}

describe.each(AGENT_NAMES)('%s', (agent) => {
  test('with only the agent’s own hooks configured, a shell call that empties its settings is refused', async () => {
    const file = configureOnlyOwnHook(agent);
    const bridge = await openBridge(agent, project);
    const emptied = await bridge.ask('shell', { command: `echo {} > ${file}` });
    const written = await bridge.ask('write', { path: file, content: '{}' });
    await bridge.close();
    expect([emptied.came, written.came]).toEqual(['refused', 'refused']);
    expect(emptied.text).toContain(file);
  });

  test('with only the agent’s own hooks configured, an everyday shell call passes', async () => {
    configureOnlyOwnHook(agent);
    const bridge = await openBridge(agent, project);
    const { came } = await bridge.ask('shell', { command: 'echo {} > out.json' });
    await bridge.close();
    expect(came).toBe('passed');
  });

  test('without any hook, a shell call that writes a guard of anyhook is refused', async () => {
    const bridge = await openBridge(agent, project);
    const { came } = await bridge.ask('shell', { command: 'echo {} > ~/.config/anyhook/hooks.json' });
    await bridge.close();
    expect(came).toBe('refused');
  });
});

const COMMAND_AGENTS = AGENT_NAMES.filter((name) => AGENTS[name].inside === null);

test('the installed command refuses such a call each time, whatever it has cached about earlier events', () => {
  const file = configureOnlyOwnHook('claude-code');
  const fire = (command: string) =>
    spawnSync(process.execPath, [CLI, 'fire', '--as', 'claude-code', '--host', 'claude-code'], {
      cwd: project,
      env: { PATH: process.env['PATH'], HOME: home },
      input: JSON.stringify({
        hook_event_name: 'PreToolUse',
        session_id: 's',
        cwd: project,
        tool_name: 'Bash',
        tool_input: { command },
      }),
      encoding: 'utf8',
    }).stdout;
  const answers = [`ls`, `echo {} > ${file}`, 'ls', `echo {} > ${file}`].map(fire);
  expect(answers.map((text) => text.includes('"deny"'))).toEqual([false, true, false, true]);
  expect(existsSync(join(home, '.local/state/anyhook/journal'))).toBe(true);
  expect(COMMAND_AGENTS).toContain('claude-code');
});
