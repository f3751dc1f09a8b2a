/** The examples printed in the five documents, as files, in a session of this agent. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Stage, somebody, stage, transcript } from '../loop/fixtures/stage.ts';

const call = (command: string) => ({ calls: [{ tool: 'shell', input: { command } }] });
const END = { text: 'Done.' };

describe('the examples of the documents, as files, in this agent', () => {
  const example = (path: string) =>
    readFileSync(join(import.meta.dirname, '../../../anyhook/src/agents', path), 'utf8');
  const hook = (ground: Stage, file: string) =>
    ground.write(
      `home/.omp/agent/hooks/${file}`,
      example(`oh-my-pi/api/fixtures/document/.omp/hooks/${file}`),
    );
  const dialogs = (confirm: boolean) => ({
    select: async () => undefined,
    confirm: async () => confirm,
    input: async () => undefined,
    notify() {},
  });

  test('oh-my-pi: the policy example blocks rm -rf and lets other commands run', async () => {
    const ground = stage();
    hook(ground, 'pre/block-rm.ts');
    const agent = await ground.open([call('rm -rf made'), call('touch made'), END]);
    await agent.prompt('go');
    expect(transcript(agent)[2]).toBe('shell!: shell was blocked: blocked by policy.');
    expect(existsSync(join(ground.cwd, 'made'))).toBe(true);
  });

  test.each([
    ['there is no UI', undefined, 'rm -rf blocked (no UI)'],
    ['the user says no', false, 'user denied command'],
    ['the user says yes', true, undefined],
  ])('oh-my-pi: rm -rf when %s', async (_, confirm, reason) => {
    const ground = stage();
    hook(ground, 'pre/confirm-rm.ts');
    ground.write('project/made/a.txt', '');
    const agent = await ground.open([call('rm -rf made'), END], {
      ...(confirm !== undefined && { person: { ...somebody([]), dialogs: dialogs(confirm) } }),
    });
    await agent.prompt('go');
    expect(existsSync(join(ground.cwd, 'made'))).toBe(reason !== undefined);
    if (reason !== undefined) expect(transcript(agent)[2]).toContain(reason);
  });

  test('oh-my-pi: the redaction example changes the output of read and of no other tool', async () => {
    const ground = stage();
    hook(ground, 'post/redact.ts');
    ground.write('project/.env', 'API_KEY=hunter2\n');
    const agent = await ground.open([
      { calls: [{ tool: 'read', input: { path: '.env' } }] },
      call('cat .env'),
      END,
    ]);
    await agent.prompt('go');
    const results = transcript(agent).filter((one) => /^(?:read|shell)/.test(one));
    expect(results).toEqual([
      expect.stringContaining('API_KEY=[REDACTED]'),
      expect.stringContaining('API_KEY=hunter2'),
    ]);
    expect(results[0]).not.toContain('hunter2');
  });

  test('oh-my-pi: debug messages stay in the session and do not reach the model', async () => {
    const ground = stage();
    hook(ground, 'pre/context-filter.ts');
    ground.write(
      'home/.omp/agent/hooks/pre/debug.ts',
      `export default (pi) => { pi.on('before_agent_start', () => ({ message: { customType: 'debug-only', content: 'inner state', display: true } })); };\n`,
    );
    const agent = await ground.open([
      { text: 'the model read it', when: { anyIncludes: 'inner state' } },
      { text: 'the model did not read it', when: { anyLacks: 'inner state' } },
    ]);
    await agent.prompt('go');
    expect(transcript(agent)).toEqual([
      'user: go',
      'hidden debug-only: inner state',
      'assistant: the model did not read it',
    ]);
  });

  test.each([
    'session_before_switch',
    'session_before_branch',
    'session_before_compact',
    'session_before_tree',
  ])('oh-my-pi: cancel in %s keeps the session unchanged and cancels nothing else', async (type) => {
    const ground = stage();
    ground.write(
      'home/.omp/agent/hooks/pre/cancel.ts',
      `export default (pi) => { pi.on(${JSON.stringify(type)}, () => ({ cancel: true })); };\n`,
    );
    const agent = await ground.open({
      main: [{ text: 'one' }, { text: 'two' }],
      summary: [{ text: 'short', repeat: true }],
    });
    await agent.prompt('first');
    const first = agent.current.leaf!;
    await agent.prompt('second');
    const acts: Record<string, () => Promise<unknown>> = {
      session_before_compact: () => agent.compact(),
      session_before_tree: () => agent.navigate(first, { summarize: true }),
      session_before_branch: () =>
        agent.branch(agent.current.entries.find((one) => one.type === 'message')!.id),
      session_before_switch: () => agent.newSession(),
    };
    const state = () => JSON.stringify([agent.session.id, transcript(agent)]);
    const unchanged: string[] = [];
    for (const [name, act] of Object.entries(acts)) {
      const before = state();
      await act();
      if (state() === before) unchanged.push(name);
    }
    expect(unchanged).toEqual([type]);
  });

  const plugin = (ground: Stage, name: string) =>
    ground.write(`home/.config/opencode/plugin/${name}.ts`, example(`opencode/api/fixtures/seed/${name}.ts`));

  test('OpenCode: the security plugin refuses its patterns and writes to system folders, and allows other calls', async () => {
    const ground = stage();
    plugin(ground, 'security');
    const asked: unknown[] = [];
    const agent = await ground.open(
      [
        call('dd if=/dev/null of=made'),
        { calls: [{ tool: 'write', input: { path: '/etc/made-by-anyhook', content: '' } }] },
        call('touch made'),
        END,
      ],
      { permission: 'ask', person: somebody(['once'], asked) },
    );
    await agent.prompt('go');
    const results = transcript(agent).filter((one) => /^(?:write|shell)/.test(one));
    expect(results).toEqual([
      expect.stringMatching(/^shell!: shell was blocked/),
      expect.stringContaining('Cannot write to system directories'),
      expect.stringMatching(/^shell: /),
    ]);
    expect([asked.length, existsSync(join(ground.cwd, 'made'))]).toEqual([1, true]);
  });

  test('OpenCode: the logging plugin writes a line for each event, message and tool', async () => {
    const ground = stage();
    plugin(ground, 'logging');
    ground.write('project/.opencode/.keep', '');
    const agent = await ground.open([call('true'), END]);
    await agent.prompt('go');
    const log = () => readFileSync(join(ground.cwd, '.opencode/audit.log'), 'utf8');
    await expect.poll(log, { timeout: 20_000 }).toContain('Event: session.idle'); // The plugin runs asynchronously.
    expect(log()).toMatch(/: Message received in session \S+\n/);
    expect(log()).toContain('Tool bash starting with args: {"command":"true"}');
    expect(log()).toMatch(/: Tool bash completed: /);
  });
});
