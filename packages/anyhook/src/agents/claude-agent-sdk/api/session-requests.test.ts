import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { removeTree } from '../../../settings/remove-tree.ts';
import { CliNotFoundError, query } from './index.ts';

const FAKE_CLI = fileURLToPath(new URL('./fixtures/fake-cli.mjs', import.meta.url));
const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) removeTree(folder);
});

/** Sends queries to a real process that logs its requests. */
function asked() {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-'));
  made.push(folder);
  const file = join(folder, 'log');
  const options = {
    pathToClaudeCodeExecutable: FAKE_CLI,
    cwd: folder,
    env: { PATH: process.env['PATH'], FAKE_CLI: 'merges', FAKE_LOG: file },
    hooks: { Stop: () => ({}) },
  };
  const prompts: ((text: string | undefined) => void)[] = [];
  const prompt = (async function* () {
    for (;;) {
      const text = await new Promise<string | undefined>((said) => prompts.push(said));
      if (text === undefined) return;
      yield text;
    }
  })();
  return {
    session: query({ prompt, options }),
    say: (text: string | undefined) => prompts.shift()!(text),
    requests: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line) => (line.startsWith('asked ') ? [JSON.parse(line.slice('asked '.length))] : [])),
  };
}

describe('requests to a session', () => {
  test('the initialization result is available before the first message is read', async () => {
    const { session } = asked();
    expect(await session.supportedCommands()).toEqual([{ name: 'compact' }]);
    expect(await session.supportedModels()).toEqual([{ value: 'default' }]);
    expect(await session.supportedAgents()).toEqual([{ name: 'Explore' }]);
    expect(await session.accountInfo()).toEqual({ apiProvider: 'firstParty' });
    expect(Object.keys(await session.initializationResult())).toContain('hooks_applied');
    session.close();
  });

  test('each request is sent to the CLI by name, and its answer is returned', async () => {
    const { session, requests } = asked();
    await session.setModel('m');
    await session.setModel();
    await session.setPermissionMode('plan');
    await session.setMaxThinkingTokens(null);
    await session.applyFlagSettings({ model: 'm' });
    expect(await session.mcpServerStatus()).toEqual([{ name: 'one', status: 'connected' }]);
    await session.reconnectMcpServer('one');
    expect(await session.setMcpServers({ two: { command: 'x' } })).toEqual({
      added: ['two'],
      removed: [],
      errors: {},
    });
    expect(await session.rewindFiles('u1', { dryRun: true })).toEqual({ canRewind: true });
    await session.stopTask('t1');
    session.close();
    expect(requests()).toEqual([
      { subtype: 'set_model', model: 'm' },
      { subtype: 'set_model' },
      { subtype: 'set_permission_mode', mode: 'plan' },
      { subtype: 'set_max_thinking_tokens', max_thinking_tokens: null },
      { subtype: 'apply_flag_settings', settings: { model: 'm' } },
      { subtype: 'mcp_status' },
      { subtype: 'mcp_reconnect', serverName: 'one' },
      { subtype: 'mcp_set_servers', servers: { two: { command: 'x' } } },
      { subtype: 'rewind_files', user_message_id: 'u1', dry_run: true },
      { subtype: 'stop_task', task_id: 't1' },
    ]);
  });

  test('every method of the published Query exists', () => {
    const { session } = asked();
    // The methods of `Query` in @anthropic-ai/claude-agent-sdk, in the order of its types.
    const published = `interrupt setPermissionMode setMcpPermissionModeOverride setModel setMaxThinkingTokens
      applyFlagSettings updateSettings initializationResult reinitialize supportedCommands supportedModels supportedAgents
      mcpServerStatus getContextUsage usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET readFile reloadPlugins
      reloadSkills reloadOutputStyles accountInfo rewindFiles seedReadState reconnectMcpServer toggleMcpServer
      readMcpResource setMcpServers streamInput stopTask backgroundTasks close`.split(/\s+/);
    const methods = session as unknown as Readonly<Record<string, unknown>>;
    expect(published.filter((name) => typeof methods[name] !== 'function')).toEqual([]);
    session.close();
  });

  test('requests of newer releases are sent with the names of the published SDK', async () => {
    const { session, requests } = asked();
    await session.setMcpPermissionModeOverride('one', 'auto');
    await session.updateSettings('userSettings', { model: 'm' });
    await session.getContextUsage({ detail: 'full' });
    await session.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET({ skipBehaviors: true });
    await session.readFile('/a', { maxBytes: 10 });
    await session.reloadPlugins({ refuseIfBusy: true });
    await session.reloadSkills();
    await session.reloadOutputStyles();
    await session.seedReadState('/a', 1);
    await session.readMcpResource('one', 'file:///a');
    expect(await session.backgroundTasks('t')).toBe(true);
    expect(Object.keys(await session.reinitialize())).toContain('hooks_applied');
    session.close();
    expect(requests()).toEqual([
      { subtype: 'set_mcp_permission_mode_override', serverName: 'one', mode: 'auto' },
      { subtype: 'update_settings', source: 'userSettings', settings: { model: 'm' } },
      { subtype: 'get_context_usage', detail: 'full' },
      { subtype: 'get_usage', skip_behaviors: true },
      { subtype: 'read_file', path: '/a', max_bytes: 10 },
      { subtype: 'reload_plugins', refuse_if_busy: true },
      { subtype: 'reload_skills' },
      { subtype: 'reload_output_styles' },
      { subtype: 'seed_read_state', path: '/a', mtime: 1 },
      { subtype: 'mcp_read_resource', serverName: 'one', uri: 'file:///a' },
      { subtype: 'background_tasks', tool_use_id: 't' },
    ]);
  });

  test('messages are read one by one, with the next prompt sent in between', async () => {
    const { session, say } = asked();
    await session.initializationResult();
    const results: unknown[] = [];
    for (const text of ['one', 'two']) {
      say(text);
      results.push((await session.next()).value?.['result']);
    }
    say(undefined);
    expect([results, (await session.next()).done]).toEqual([['one', 'two'], true]);
  });

  test('a missing program is reported to whoever sends a request, and nowhere else', async () => {
    const session = query('hi', { pathToClaudeCodeExecutable: '/nowhere/claude' });
    await expect(session.supportedModels()).rejects.toBeInstanceOf(CliNotFoundError);
    await expect(session.next()).rejects.toBeInstanceOf(CliNotFoundError);
  });
});
