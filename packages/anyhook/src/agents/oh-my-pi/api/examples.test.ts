/** The five examples of the document, unchanged, loaded from a project's `.omp` as an agent would. */

import { appendFileSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dialogs, Services } from '../../../events/services.ts';
import { discoverAndLoadHooks } from './discover-and-load.ts';
import { scratch } from './fixtures/scratch.ts';
import { HookRunner } from './runner.ts';
import { HookToolWrapper } from './tool-wrapper.ts';
import type { LoadedHook, Message, SessionManager } from './types/index.ts';

const PROJECT = join(import.meta.dirname, 'fixtures/document');
const EXAMPLES = join(import.meta.dirname, '../../../../../../examples/oh-my-pi');
const ground = scratch();
let hooks: LoadedHook[];
beforeAll(async () => {
  const loaded = await discoverAndLoadHooks([], PROJECT, { home: ground.root });
  expect([loaded.errors, loaded.warnings]).toEqual([[], []]);
  ({ hooks } = loaded);
});
afterAll(ground.remove);

const runnerFor = (name: string, services?: Services) =>
  new HookRunner(
    hooks.filter(({ path }) => basename(path) === name),
    { cwd: PROJECT, ...(services && { services }) },
  );
const text = (value: string) => [{ type: 'text' as const, text: value }];
const toolCalled = (name: string, output: string) => {
  const ran: unknown[] = [];
  return {
    ran,
    tool: {
      name,
      execute: (_id: string, params: Record<string, unknown>) => (
        ran.push(params),
        { content: text(output) }
      ),
    },
  };
};
const answering = (confirmed: boolean, questions: string[] = []): Dialogs => ({
  select: async () => undefined,
  confirm: async (title, message) => (questions.push(`${title}: ${message}`), confirmed),
  input: async () => undefined,
  notify() {},
});

test('all five examples exist', () => {
  expect(hooks.map(({ path }) => basename(path))).toEqual([
    'block-rm.ts',
    'confirm-rm.ts',
    'context-filter.ts',
    'handoff.ts',
    'redact.ts',
  ]);
});

test('the examples of the folder load without problems', async () => {
  const { hooks: shown, errors, warnings } = await discoverAndLoadHooks([], EXAMPLES, { home: ground.root });
  expect([shown.length, errors, warnings]).toEqual([4, [], []]);
});

test('a hook module blocks rm -rf by policy, and the rest runs', async () => {
  const { tool, ran } = toolCalled('bash', 'done');
  const wrapped = new HookToolWrapper(tool, runnerFor('block-rm.ts'));
  await expect(wrapped.execute('c1', { command: 'rm -rf /' })).rejects.toThrow('blocked by policy');
  expect(await wrapped.execute('c2', { command: 'ls' })).toEqual({ content: text('done') });
  expect(ran).toEqual([{ command: 'ls' }]);
});

describe('block unsafe bash commands', () => {
  const run = (services?: Services) => {
    const { tool, ran } = toolCalled('bash', 'done');
    const wrapped = new HookToolWrapper(tool, runnerFor('confirm-rm.ts', services));
    return { ran, ended: wrapped.execute('c1', { command: 'rm -rf build' }) };
  };

  test('without a UI the unsafe command is blocked', async () => {
    await expect(run().ended).rejects.toThrow('rm -rf blocked (no UI)');
  });
  test('the unsafe command is blocked if the user says no', async () => {
    const questions: string[] = [];
    await expect(run({ ui: answering(false, questions) }).ended).rejects.toThrow('user denied command');
    expect(questions).toEqual(['Dangerous command: Allow: rm -rf build']);
  });
  test('the unsafe command runs if the user says yes', async () => {
    const { ran, ended } = run({ ui: answering(true) });
    await ended;
    expect(ran).toEqual([{ command: 'rm -rf build' }]);
  });
});

test('redact tool output: only results of read are redacted', async () => {
  const run = (name: string) =>
    new HookToolWrapper(toolCalled(name, 'API_KEY=abc X=1').tool, runnerFor('redact.ts')).execute('c1', {});
  expect(await run('read')).toEqual({ content: text('API_KEY=[REDACTED] X=1') });
  expect(await run('bash')).toEqual({ content: text('API_KEY=abc X=1') });
});

test('modify model context: debug messages do not reach the model', async () => {
  const custom = (customType: string): Message => ({
    role: 'custom',
    customType,
    content: '',
    display: false,
  });
  const messages: Message[] = [{ role: 'user', content: 'hi' }, custom('debug-only'), custom('note')];
  expect(await runnerFor('context-filter.ts').emitContext(messages)).toEqual([messages[0], messages[2]]);
});

test('the handoff command: the new session names its parent and contains the message', async () => {
  const old = ground.write('old.jsonl', '');
  const fresh = ground.write('new.jsonl', '');
  const done: string[] = [];
  const write = (line: unknown) => appendFileSync(fresh, `${JSON.stringify(line)}\n`);
  const services: Services = {
    session: {
      entries: () => [],
      view: () => ({ getSessionFile: () => old }),
      waitForIdle: async () => void done.push('idle'),
      async act(what, how) {
        done.push(what);
        write({ type: 'session', parentSession: how['parentSession'] });
        const appendMessage = (message: Message) => (write({ type: 'message', message }), 'e1');
        await (how['setup'] as (sm: SessionManager) => Promise<void>)({ appendMessage } as SessionManager);
        return { cancelled: false };
      },
    },
  };
  const runner = runnerFor('handoff.ts', services);
  const command = runner.getCommand('handoff');
  expect(command?.description).toBe('Create a new session with setup message');
  await command?.handler('', runner.createCommandContext());
  expect(done).toEqual(['idle', 'new']);
  const lines = readFileSync(fresh, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(lines).toEqual([
    { type: 'session', parentSession: old },
    {
      type: 'message',
      message: {
        role: 'user',
        content: text('Continue from prior session summary.'),
        timestamp: expect.any(Number) as number,
      },
    },
  ]);
});
