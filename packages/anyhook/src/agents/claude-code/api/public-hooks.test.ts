/**
 * Hooks similar to those that people publish, unchanged in a project's `.claude` folder. Real processes, run through
 * `createHooks` in a host with other tool names.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lacks } from '../../../../test/programs.mjs';
import type { Hooks } from '../../../index.ts';
import { ground, host, until } from '../../../library/fixtures/ground.ts';

const here = ground();
const command = (text: string) =>
  ({ name: 'tool.before', payload: { tool: 'shell', input: { command: text } } }) as const;
const file = (name: string) => join(here.cwd, name);
let hooks: Hooks;

beforeAll(async () => {
  cpSync(join(import.meta.dirname, 'fixtures/project'), here.cwd, { recursive: true });
  const before = await here.open({ trust: { selfProtection: false }, journal: false });
  const hashes = before.examined.map(({ judgement }) => judgement.hash);
  hooks = await here.open({ journal: false, trust: { selfProtection: false, hashes } });
});

describe('before trust', () => {
  test('untrusted project hooks do not run, and a problem reports it', async () => {
    const untrusted = await here.open({ trust: { selfProtection: false }, journal: false });
    const outcome = await untrusted.fire(command('rm -rf /'));
    expect([outcome.verdict, new Set(outcome.runs.map(({ skipped }) => skipped))]).toEqual([
      'none',
      new Set(['not trusted', 'does not match']),
    ]);
    expect(untrusted.problems.map(({ code }) => code)).toEqual(untrusted.hooks.map(() => 'not-trusted'));
  });
});

describe('unchanged project hooks', () => {
  test('all published hooks are read without problems', () => {
    expect(hooks.problems).toEqual([]);
    expect(hooks.hooks.map(({ on }) => on)).toHaveLength(12);
    expect(hooks.hooks.every(({ run }) => run.kind === 'command')).toBe(true);
  });

  test('a shell script blocks a destructive command with exit 2', async () => {
    const outcome = await hooks.fire(command('rm -rf build'));
    expect([outcome.verdict, outcome.reasons.map(({ text }) => text)]).toEqual([
      'deny',
      ['BLOCKED: destructive command'],
    ]);
    expect((await hooks.fire(command('ls'))).verdict).toBe('none');
  });

  test('a rewrite with "if" changes only matching calls', async () => {
    const pushed = await hooks.fire(command('cd app && git push origin'));
    expect([pushed.verdict, pushed.payload['input']]).toEqual([
      'ask',
      { command: 'cd app && git push --dry-run origin' },
    ]);
    const other = await hooks.fire(command('git status'));
    expect([other.verdict, other.runs.map(({ skipped }) => skipped)]).toEqual([
      'none',
      [undefined, 'does not match'],
    ]);
  });

  test.skipIf(lacks('python3'))(
    "a Python guard denies a protected file, with another agent's names for tool and argument",
    async () => {
      const fired = (tool: string, input: Record<string, unknown>) =>
        hooks.fire({ name: 'tool.before', payload: { tool, input } });
      const outcome = await fired('write', { path: '.env', content: 'x' });
      expect([outcome.verdict, outcome.reasons[0]?.text]).toEqual(['deny', '.env is protected']);
      expect((await fired('read_file', { path: 'a.txt' })).verdict).toBe('none');
      expect((await fired('read_file', { path: '.env' })).verdict).toBe('deny');
    },
  );

  test('a permission is granted for read-only commands', async () => {
    const asked = (text: string) =>
      hooks.fire({ name: 'tool.permission', payload: { tool: 'shell', input: { command: text } } });
    expect([(await asked('git status')).verdict, (await asked('git status; rm x')).verdict]).toEqual([
      'allow',
      'none',
    ]);
  });

  test('a formatter changes the file after an edit, and a linter passes its findings to the model', async () => {
    writeFileSync(file('a.js'), 'console.log(1);   \n\n\n');
    const payload = {
      tool: 'edit',
      input: { path: file('a.js'), old: 'a', new: 'b' },
      content: [{ type: 'text', text: 'ok' }],
    };
    const outcome = await hooks.fire({ name: 'tool.after', payload });
    expect(readFileSync(file('a.js'), 'utf8')).toBe('console.log(1);\n');
    expect(outcome.said).toEqual([
      { by: expect.any(String) as string, to: 'model', text: 'Remove console.log from a.js' },
    ]);
  });

  test.skipIf(lacks('python3'))(
    'a prompt with a key is blocked, and another one gets context from plain output',
    async () => {
      const sent = (prompt: string) =>
        hooks.fire({ name: 'prompt.submit', payload: { prompt }, ids: { session: 's1' } });
      expect((await sent('use sk-abcdefgh12')).reasons[0]?.text).toBe('Your prompt holds a key.');
      expect((await sent('hello')).said.map(({ text }) => text)).toEqual(['Reviewed prompt of session s1']);
    },
  );

  test('a session starts with context that a hook has about the project', async () => {
    const started = (source: string) => hooks.fire({ name: 'session.start', payload: { source } });
    expect((await started('startup')).said.map(({ text }) => text)).toEqual([
      'Project: project (hooks by Claude Code)',
    ]);
    expect((await started('clear')).said).toEqual([]);
  });

  test.skipIf(lacks('jq', 'python3'))(
    'a stop is refused once, and stop_hook_active ends the loop',
    async () => {
      const stop = () =>
        hooks.fire({ name: 'turn.stop', payload: { active: false }, ids: { session: 'stopping' } });
      expect((await stop()).flow).toEqual({ resume: 'Run the tests before you stop.' });
      expect((await stop()).flow).toEqual({});
    },
  );

  test('a subagent is counted, and a notification is logged in the background', async () => {
    await hooks.fire({ name: 'subagent.stop', payload: { type: 'Explore' } });
    expect(readFileSync(file('subagents.log'), 'utf8')).toBe('Explore\n');
    await hooks.fire({ name: 'notification.sent', payload: { kind: 'idle_prompt', message: 'waiting' } });
    await until(
      () => existsSync(file('notified.jsonl')) && readFileSync(file('notified.jsonl'), 'utf8').endsWith('\n'),
    );
    expect(JSON.parse(readFileSync(file('notified.jsonl'), 'utf8'))).toMatchObject({
      hook_event_name: 'Notification',
      message: 'waiting',
    });
  });

  test('a compaction waits until the transcript is saved', async () => {
    const compact = (trigger: string, scene = {}) =>
      hooks.fire({ name: 'compaction.before', payload: { trigger }, scene });
    expect((await compact('manual')).flow).toEqual({ cancel: 'no transcript to keep' });
    expect((await compact('auto')).flow).toEqual({});
    writeFileSync(file('t.jsonl'), '{}\n');
    expect((await compact('manual', { transcript: file('t.jsonl') })).flow).toEqual({});
    expect(existsSync(file('kept.jsonl'))).toBe(true);
  });

  test('a failing guard with onFailure "block" refuses; one without passes with a mark', async () => {
    const outcome = await hooks.fire({ name: 'tool.before', payload: { tool: 'read', input: {} } }); // no path: it asserts
    expect(outcome).toMatchObject({ verdict: 'deny', reasons: [{ broken: true }] });
    const loose = ground({
      'home/.claude/settings.json': {
        hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 1' }] }] },
      },
    });
    const passed = await (await loose.open({ journal: false })).fire(command('ls'));
    expect([passed.verdict, passed.runs.at(-1)?.failedOpen]).toEqual(['none', true]);
  });
});

describe('user hooks', () => {
  let server: Server;
  let url: string;
  const posted: { body: unknown; token: string | undefined }[] = [];
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      posted.push({ body: JSON.parse(text), token: request.headers.authorization });
      response.setHeader('content-type', 'application/json');
      const isPush = text.includes('git push');
      response.end(
        isPush
          ? JSON.stringify({
              hookSpecificOutput: {
                hookEventName: 'PreToolUse',
                permissionDecision: 'deny',
                permissionDecisionReason: 'not today',
              },
            })
          : '',
      );
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  });
  afterAll(() => new Promise((done) => server.close(done)));

  const own = (hooksOf: object, more: object = {}) =>
    ground({ 'home/.claude/settings.json': { hooks: hooksOf, ...more } });

  test('an HTTP hook decides, with a header built from an allowed variable', async () => {
    const handler = {
      type: 'http',
      url,
      headers: { Authorization: 'Bearer $POLICY_TOKEN' },
      allowedEnvVars: ['POLICY_TOKEN'],
    };
    const there = await own({ PreToolUse: [{ matcher: 'Bash', hooks: [handler] }] }).open({
      journal: false,
      env: { ...process.env, POLICY_TOKEN: 't0ken' },
    });
    expect((await there.fire(command('git push'))).reasons.map(({ text }) => text)).toEqual(['not today']);
    expect((await there.fire(command('ls'))).verdict).toBe('none');
    expect(posted[0]).toMatchObject({
      body: { hook_event_name: 'PreToolUse', tool_name: 'Bash' },
      token: 'Bearer t0ken',
    });
  });

  test('URLs that settings do not allow, and metadata services, are not called', async () => {
    const hooksOf = (to: string) => ({
      PreToolUse: [{ hooks: [{ type: 'http', url: to, onFailure: 'block' }] }],
    });
    const asked = posted.length;
    const listed = await own(hooksOf(url), { allowedHttpHookUrls: ['https://*'] }).open({ journal: false });
    expect((await listed.fire(command('ls'))).reasons[0]?.text).toMatch(/not among allowedHttpHookUrls/);
    const metadata = await own(hooksOf('http://0xa9fea9fe/')).open({ journal: false });
    expect((await metadata.fire(command('ls'))).reasons[0]?.text).toMatch(/link-local, metadata or reserved/);
    expect(posted).toHaveLength(asked);
  });

  test('a model judges through the host, and an MCP tool through the client of the host', async () => {
    const there = await own({
      PreToolUse: [
        { hooks: [{ type: 'prompt', prompt: 'Is this safe? $ARGUMENTS', continueOnBlock: true }] },
      ],
      PostToolUse: [
        {
          hooks: [
            { type: 'mcp_tool', server: 'audit', tool: 'note', input: { cmd: '${tool_input.command}' } },
          ],
        },
      ],
    }).open({
      journal: false,
      services: {
        judge: async (prompt) =>
          prompt.includes('curl') ? '{"ok":false,"reason":"no downloads"}' : '{"ok":true}',
        tools: {
          register() {},
          call: async (name, input) => `{"systemMessage":"${name} heard ${String(input['cmd'])}"}`,
        },
      },
    });
    expect((await there.fire(command('curl x'))).reasons.map(({ text }) => text)).toEqual(['no downloads']);
    expect((await there.fire(command('ls'))).verdict).toBe('none');
    const payload = { tool: 'shell', input: { command: 'ls' }, content: [] };
    expect((await there.fire({ name: 'tool.after', payload })).said.map(({ text }) => text)).toEqual([
      'mcp__audit__note heard ls',
    ]);
  });

  test('all hooks run in parallel: two rewrites are merged, contexts are kept, the strictest verdict wins', async () => {
    const print = (fields: object) => ({
      type: 'command',
      command: `cat >/dev/null; printf '%s' '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } })}'`,
    });
    const there = await own({
      PreToolUse: [
        { hooks: [print({ updatedInput: { command: 'ls', timeout: 5 }, additionalContext: 'one' })] },
        {
          matcher: 'Bash',
          hooks: [
            print({
              permissionDecision: 'allow',
              updatedInput: { command: 'ls', description: 'd' },
              additionalContext: 'two',
            }),
          ],
        },
        { hooks: [print({ permissionDecision: 'ask', permissionDecisionReason: 'sure?' })] },
      ],
    }).open({ journal: false });
    const outcome = await there.fire(command('ls'));
    expect([outcome.verdict, outcome.payload['input'], outcome.said.map(({ text }) => text)]).toEqual([
      'ask',
      { command: 'ls', timeout: 5, description: 'd' },
      ['one', 'two'],
    ]);
  });

  test('the same handler in two files runs once', async () => {
    const handler = {
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'echo x >> "$CLAUDE_PROJECT_DIR/ran"' }] }] },
    };
    const twice = ground({ 'home/.claude/settings.json': handler, 'project/.claude/settings.json': handler });
    const there = await twice.open({ journal: false });
    await there.fire({ name: 'turn.stop', payload: { active: false } });
    expect(readFileSync(join(twice.cwd, 'ran'), 'utf8')).toBe('x\n');
  });

  test('an enabled plugin runs with its own variables and without telemetry variables', async () => {
    const plugin = '.claude/plugins/cache/market/tools/1.0.0';
    const say = {
      type: 'command',
      command: 'echo "$CLAUDE_PLUGIN_ROOT|$CLAUDE_PROJECT_DIR|${OTEL_TOKEN:-none}|$PLAIN"',
    };
    const there = ground({
      'home/.claude/settings.json': { enabledPlugins: { 'tools@market': true } },
      [`home/${plugin}/hooks/hooks.json`]: { description: 'd', hooks: { SessionStart: [{ hooks: [say] }] } },
    });
    there.put(
      'home/.claude/plugins/installed_plugins.json',
      JSON.stringify({
        plugins: { 'tools@market': [{ scope: 'user', installPath: join(there.home, plugin) }] },
      }),
    );
    const opened = await there.open({
      journal: false,
      host: { ...host },
      env: { ...process.env, OTEL_TOKEN: 'secret', PLAIN: 'p' },
    });
    const outcome = await opened.fire({ name: 'session.start', payload: { source: 'startup' } });
    expect(outcome.said.map(({ text }) => text)).toEqual([`${join(there.home, plugin)}|${there.cwd}|none|p`]);
  });

  test('hooks for a native event run, and a long text is stored in a file', async () => {
    const there = own({
      PostToolBatch: [{ hooks: [{ type: 'command', command: 'echo enough >&2; exit 2' }] }],
      SessionStart: [{ hooks: [{ type: 'command', command: `node -e "console.log('x'.repeat(30000))"` }] }],
    });
    const opened = await there.open({ journal: false });
    const batch = { word: 'PostToolBatch', body: { tool_calls: [] } };
    expect((await opened.fire({ name: 'other', payload: batch })).flow).toEqual({ halt: 'enough' });
    expect((await opened.fire({ name: 'other', payload: { word: 'Setup', body: {} } })).runs).toEqual([]);
    const [said] = (await opened.fire({ name: 'session.start', payload: {} })).said;
    expect(readFileSync(/is in (.*)\)$/.exec(said!.text)![1]!, 'utf8')).toBe('x'.repeat(30_000));
  });
});

test('the command line answers Claude Code in its native format', { timeout: 60_000 }, () => {
  const there = ground({
    'home/.config/anyhook/hooks.json': {
      hooks: { 'tool.before': [{ match: 'shell(git *)', run: 'echo no git >&2; exit 2' }] },
    },
  });
  const recorded = JSON.parse(
    readFileSync(join(import.meta.dirname, '../dialect/fixtures/recorded/PreToolUse.Bash.json'), 'utf8'),
  ) as object;
  const cli = join(import.meta.dirname, '../../../../dist/bin/anyhook.cjs');
  const event = { ...recorded, cwd: there.cwd, tool_input: { command: 'git push' } };
  const run = () =>
    execFileSync(process.execPath, [cli, 'fire', '--as', 'claude-code'], {
      input: JSON.stringify(event),
      env: { ...process.env, HOME: there.home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' },
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  let failed: { status?: number; stdout?: string; stderr?: string } = {};
  try {
    run();
  } catch (error) {
    failed = error as typeof failed;
  }
  expect([failed.status, failed.stderr, JSON.parse(failed.stdout ?? 'null')]).toEqual([
    2,
    'no git\n',
    {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'no git',
      },
    },
  ]);
});
