/**
 * In every agent with a bridge, an approval overrides no veto, and an allow of one hook does not answer the question
 * of another.
 */

import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AGENT_NAMES, AGENTS } from '../src/agents/index.ts';
import { findDialect } from '../src/dialects.ts';
import { answerFire, fireRequest, locationsFor, openHooks } from '../src/fire/answer.ts';
import { fireArguments } from '../src/fire/arguments.ts';
import { removeTree } from '../src/settings/remove-tree.ts';
import { openBridge } from './faults/bridges.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-every-question-')));
afterAll(() => removeTree(root));
let home = '';
let project = '';

beforeEach(() => {
  home = mkdtempSync(join(root, 'home-'));
  project = mkdtempSync(join(root, 'project-'));
  vi.stubEnv('HOME', home);
  for (const name of ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, '');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Each value is the body of a user hook; `command` is the command of the call. */
function configure(hooks: Readonly<Record<string, string>>): void {
  const all = Object.entries(hooks).map(
    ([on, body]) =>
      `defineHook({ on: '${on}', run: ({ payload }) => { const command = String(payload.input.command); ${body} } })`,
  );
  const file = join(home, '.config/anyhook/hooks/mine.mjs');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `import { defineHook } from 'anyhook';\nexport default [${all.join(', ')}];\n`);
}

describe.each(AGENT_NAMES)('%s', (agent) => {
  test('a call that a hook approved is refused by a permission hook, and another call is not', async () => {
    configure({
      'tool.before': `return { kind: 'allow' };`,
      'tool.permission': `if (command.startsWith('dd')) return { kind: 'deny', reason: 'no dd' };`,
    });
    const bridge = await openBridge(agent, project);
    const [refused, other] = [
      await bridge.ask('shell', { command: 'dd if=/dev/zero of=x' }),
      await bridge.ask('shell', { command: 'ls' }),
    ];
    await bridge.close();
    expect(refused).toMatchObject({ came: 'refused', text: expect.stringContaining('no dd') });
    expect(['approved', 'passed']).toContain(other.came);
  });

  test('a call that a hook asks about is not approved because a permission hook allows every call', async () => {
    configure({
      'tool.before': `if (command.includes('.env')) return { kind: 'ask', reason: 'secrets' };`,
      'tool.permission': `return { kind: 'allow' };`,
    });
    const bridge = await openBridge(agent, project);
    const [asked, other] = [
      await bridge.ask('shell', { command: 'cat .env' }),
      await bridge.ask('shell', { command: 'ls' }),
    ];
    await bridge.close();
    expect(['asked', 'refused']).toContain(asked.came);
    expect(asked.text).toContain('secrets');
    expect(['approved', 'passed']).toContain(other.came);
  });
});

const WITH_PROMPT = AGENT_NAMES.filter(
  (name) =>
    AGENTS[name].inside === null &&
    (findDialect(AGENTS[name].dialect)?.words['tool.permission'] ?? []).includes('PermissionRequest') &&
    AGENTS[name].can['tool.permission']?.allow !== undefined,
);

describe.each(WITH_PROMPT)('the permission prompt of %s', (agent) => {
  /** Starts a process for each event, as the agent does. */
  async function fire(on: string, command: string): Promise<string> {
    const native = { hook_event_name: on, session_id: 's', cwd: project };
    const call = { tool_name: 'Bash', tool_input: { command } };
    const args = fireArguments(['--as', AGENTS[agent].dialect, '--host', agent, '--project', project]);
    const caller = { env: process.env, cwd: project };
    const request = fireRequest(args, JSON.stringify({ ...native, ...call }), caller);
    const startedMs = performance.now();
    const locations = locationsFor(request);
    const hooks = await openHooks(request, { locations, startedMs, log: () => {} });
    const { stdout } = await answerFire(request, hooks, { locations, startedMs });
    await hooks.close();
    return stdout;
  }

  test('is left to the user for a call that a hook asks about, and answered for any other call', async () => {
    configure({
      'tool.before': `if (command.includes('.env')) return { kind: 'ask', reason: 'secrets' };`,
      'tool.permission': `return { kind: 'allow' };`,
    });
    await fire('PreToolUse', 'cat .env');
    expect(await fire('PermissionRequest', 'cat .env')).not.toContain('"allow"');
    await fire('PreToolUse', 'ls');
    expect(await fire('PermissionRequest', 'ls')).toContain('"allow"');
  });
});

test('the permission prompts of Claude Code and Codex are among those that were tried', () => {
  expect(WITH_PROMPT).toEqual(expect.arrayContaining(['claude-code', 'codex']));
});
