import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { removeTree } from '../../settings/remove-tree.ts';
import { CliNotFoundError, query } from './index.ts';

const FAKE_CLI = fileURLToPath(new URL('./fixtures/fake-cli.mjs', import.meta.url));
const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) removeTree(folder);
});

/** A query to a real process, which notes what it is asked. */
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

describe('what can be asked of a session', () => {
  test('what the CLI said at the start, before anybody has asked for a message', async () => {
    const { session } = asked();
    expect(await session.supportedCommands()).toEqual([{ name: 'compact' }]);
    expect(await session.supportedModels()).toEqual([{ value: 'default' }]);
    expect(await session.supportedAgents()).toEqual([{ name: 'Explore' }]);
    expect(await session.accountInfo()).toEqual({ apiProvider: 'firstParty' });
    expect(Object.keys(await session.initializationResult())).toContain('hooks_applied');
    session.close();
  });

  test('each request goes to the CLI under its own name, and its answer comes back', async () => {
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

  test('messages are taken one by one, with the next prompt said in between', async () => {
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

  test('a program that is missing is said to whoever asks, and to nobody else', async () => {
    const session = query('hi', { pathToClaudeCodeExecutable: '/nowhere/claude' });
    await expect(session.supportedModels()).rejects.toBeInstanceOf(CliNotFoundError);
    await expect(session.next()).rejects.toBeInstanceOf(CliNotFoundError);
  });
});
