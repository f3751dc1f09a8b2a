/** Goose hooks in a host of ours: with trust, other dialects, and other agents' tool names. */

import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../../../events/capabilities.ts';
import { createHooks, type Hooks, type Options } from '../../../index.ts';
import { clear, command, GLOBAL, type GooseGround, ground, on } from './fixtures/ground.ts';

const opened: Hooks[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((hooks) => hooks.close()));
  clear();
});
async function open(at: GooseGround, more: Partial<Options> = {}): Promise<Hooks> {
  const hooks = await createHooks({
    host: { name: 'test', can: EVERYTHING },
    home: at.home,
    cwd: at.cwd,
    journal: false,
    ...more,
    trust: { selfProtection: false, ...more.trust },
  });
  opened.push(hooks);
  return hooks;
}
const shell = (text: string) =>
  ({ name: 'tool.before', payload: { tool: 'run_command', input: { command: text } } }) as const;
const texts = ({ reasons }: { reasons: readonly { text: string }[] }) => reasons.map(({ text }) => text);

test("a Goose guard judges another agent's call, with Goose's names", async () => {
  const guard = { matcher: 'Bash(git push*)', hooks: [command('cat > in.json; echo ask first >&2; exit 2')] };
  const hooks = await open(ground({ [GLOBAL]: { hooks: { PreToolUse: [guard] } } }), {});
  expect(texts(await hooks.fire(shell('cd x && git push')))).toEqual(['ask first']);
  expect((await hooks.fire(shell('ls'))).verdict).toBe('none');
});

test("a project's Goose hooks need the gate and the user's trust", async () => {
  const project = on('PreToolUse', command('exit 2'));
  const shut = ground({ 'project/.goose/settings.json': project });
  expect((await (await open(shut)).fire(shell('ls'))).runs).toEqual([]);
  const at = ground({ [GLOBAL]: { allow_project_hooks: true }, 'project/.goose/settings.json': project });
  const waiting = await open(at);
  expect((await waiting.fire(shell('ls'))).runs.map(({ skipped }) => skipped)).toEqual(['not trusted']);
  const hashes = waiting.examined.map(({ judgement }) => judgement.hash);
  expect((await (await open(at, { trust: { hashes } })).fire(shell('ls'))).verdict).toBe('deny');
});

describe('an mcp_tool hook', () => {
  const SERVER = fileURLToPath(new URL('../../../runners/mcp/fixtures/stdio-server.mjs', import.meta.url));
  const say = (decision: string, more: object = {}) => ({
    type: 'mcp_tool',
    tool: 'say',
    arguments: { text: `{"decision":"${decision}","reason":"from a tool"}` },
    ...more,
  });
  test('an mcp_tool hook decides through a server that close stops', async () => {
    const server = { command: process.execPath, args: [SERVER] };
    const hooks = await open(ground({ [GLOBAL]: on('PreToolUse', say('block', { server })) }));
    expect(texts(await hooks.fire(shell('ls')))).toEqual(['from a tool']);
    await hooks.close();
  });
  test('asks the host’s own client', async () => {
    const asked: unknown[] = [];
    const services = {
      tools: {
        register() {},
        call: async (name: string, input: unknown) => {
          asked.push([name, input]);
          return '{"decision":"block","reason":"host"}';
        },
      },
    };
    const files = { [GLOBAL]: on('PreToolUse', say('block', { server: 'policy' })) };
    const hooks = await open(ground(files), { services });
    expect(texts(await hooks.fire(shell('ls')))).toEqual(['host']);
    expect(asked).toEqual([['mcp__policy__say', { text: expect.any(String) as string }]]);
  });

  /** Adds a server of the project as a script that can be hashed; its packages stay in place. */
  function withServer(at: GooseGround): void {
    mkdirSync(join(at.cwd, 'tools'));
    cpSync(join(SERVER, '..', 'tools.mjs'), join(at.cwd, 'tools/tools.mjs'));
    writeFileSync(
      join(at.cwd, 'tools/server.mjs'),
      `import { appendFileSync } from 'node:fs';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { makeServer } from './tools.mjs';
appendFileSync(${JSON.stringify(join(at.root, 'started'))}, import.meta.filename + '\\n');
await makeServer().connect(new StdioServerTransport());
`,
    );
    symlinkSync(join(import.meta.dirname, '../../../../../../node_modules'), join(at.cwd, 'node_modules'));
    writeFileSync(
      join(at.cwd, '.mcp.json'),
      JSON.stringify({ mcpServers: { theirs: { command: process.execPath, args: ['tools/server.mjs'] } } }),
    );
  }
  test("a user's mcp_tool hook that names a project server waits for trust and then runs the judged bytes", async () => {
    const at = ground({ [GLOBAL]: on('PreToolUse', say('block', { server: 'theirs' })) });
    withServer(at);
    const waiting = await open(at);
    expect((await waiting.fire(shell('ls'))).runs.map(({ skipped }) => skipped)).toEqual(['not trusted']);
    expect(existsSync(join(at.root, 'started'))).toBe(false);
    const hashes = waiting.examined.map(({ judgement }) => judgement.hash);
    const trusted = await open(at, { trust: { hashes } });
    expect(texts(await trusted.fire(shell('ls')))).toEqual(['from a tool']);
    await trusted.close();
    writeFileSync(join(at.cwd, 'tools/server.mjs'), 'process.exit(0);\n');
    const changed = await open(at, { trust: { hashes } });
    expect((await changed.fire(shell('ls'))).runs.map(({ skipped }) => skipped)).toEqual(['not trusted']);
  });
});

test("a file that two dialects read uses its owner's dialect only", async () => {
  const file = 'project/.claude/settings.json';
  const at = ground({ [GLOBAL]: { allow_project_hooks: true }, [file]: on('PreToolUse', command('exit 2')) });
  const dialects = async (...names: string[]) =>
    (await open(at, { settings: { dialects: names } })).hooks.map(({ dialect, origin }) => [
      dialect,
      origin.file,
    ]);
  expect(await dialects('goose')).toEqual([['goose', join(at.root, file)]]);
  expect(await dialects('goose', 'claude-code')).toEqual([['claude-code', join(at.root, file)]]);
});

describe('a Goose guard on the text editor', () => {
  const on = {
    matcher: 'developer__text_editor',
    hooks: [command('cat > in.json; echo not this file >&2; exit 2')],
  };

  test.each([
    ['Read', { file_path: '.env' }, { command: 'view', path: '.env' }],
    ['Write', { file_path: '.env', content: 'x' }, { command: 'write', path: '.env', file_text: 'x' }],
    [
      'Edit',
      { file_path: '.env', old_string: 'a', new_string: 'b' },
      { command: 'str_replace', path: '.env', old_str: 'a', new_str: 'b' },
    ],
  ])(
    'a Goose guard on the text editor runs for %s of another agent, as an editor call',
    async (tool, input, tool_input) => {
      const at = ground({ [GLOBAL]: { hooks: { PreToolUse: [on] } } });
      const outcome = await (await open(at)).fire({ name: 'tool.before', payload: { tool, input } });
      expect(texts(outcome)).toEqual(['not this file']);
      const told = JSON.parse(readFileSync(join(at.cwd, 'in.json'), 'utf8')) as object;
      expect(told).toMatchObject({ tool_name: 'developer__text_editor', tool_input });
    },
  );

  test('a Goose guard on the text editor does not run for a shell command', async () => {
    const at = ground({ [GLOBAL]: { hooks: { PreToolUse: [on] } } });
    expect((await (await open(at)).fire(shell('ls'))).verdict).toBe('none');
  });
});
