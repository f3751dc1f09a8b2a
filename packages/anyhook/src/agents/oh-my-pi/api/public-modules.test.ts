/** Modules similar to public ones: state between events, git, dialogs, commands, entries, renderers. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Dialogs, Services } from '../../../events/services.ts';
import { RESULT, scratch } from './fixtures/scratch.ts';
import { loadHooks } from './load.ts';
import { HookRunner } from './runner.ts';
import { PLAIN } from './theme.ts';

const ground = scratch();
afterAll(ground.remove);

async function runnerFor(name: string, services: Services, cwd = ground.root): Promise<HookRunner> {
  const { hooks, errors, warnings } = await loadHooks(
    [join(import.meta.dirname, 'fixtures/public/.omp/hooks/pre', name)],
    cwd,
  );
  expect([hooks.length, errors, warnings]).toEqual([1, [], []]);
  return new HookRunner(hooks, { cwd, services });
}
const person = (heard: string[], choice?: string): Dialogs => ({
  select: async (title) => (heard.push(title), choice),
  confirm: async () => false,
  input: async () => undefined,
  notify: (message, level) => void heard.push(`${level}: ${message}`),
  status: (key, text) => void heard.push(`${key}: ${text}`),
});

test('a path guard protects its paths', async () => {
  const heard: string[] = [];
  const runner = await runnerFor('protected-paths.mjs', { ui: person(heard) });
  const write = (path: string) =>
    runner.emitToolCall({
      type: 'tool_call',
      toolName: 'write',
      toolCallId: 'c',
      input: { path, content: '' },
    });
  expect(await write('src/a.ts')).toBeUndefined();
  expect(await write('.env')).toEqual({ block: true, reason: 'Path ".env" is protected' });
  expect(heard).toEqual(['warning: Blocked write to protected path: .env']);
  // A guard with a bug refuses: a missing argument throws, and nothing is written.
  await expect(
    runner.emitToolCall({ type: 'tool_call', toolName: 'edit', toolCallId: 'c', input: {} }),
  ).rejects.toThrow();
});

test('a git checkpoint hook stashes, branches and restores', async () => {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ground.root, stdio: 'pipe' }).toString();
  git('init', '-q');
  git('config', 'user.email', 'nobody@example.com');
  git('config', 'user.name', 'nobody');
  const file = ground.write('code.txt', 'one\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  ground.write('code.txt', 'two\n');
  const heard: string[] = [];
  const entries = [{ type: 'message', id: 'e1', parentId: null, timestamp: '' }];
  const runner = await runnerFor('git-checkpoint.mjs', {
    ui: person(heard, 'Yes, restore code to that point'),
    session: { entries: () => entries },
  });
  await runner.emit(RESULT);
  await runner.emit({ type: 'turn_start', turnIndex: 0, timestamp: 0 });
  git('checkout', '-q', '--', '.');
  expect(readFileSync(file, 'utf8')).toBe('one\n');
  const answer = await runner.emit({ type: 'session_before_branch', entryId: 'e1' });
  expect(answer).toEqual({ skipConversationRestore: true });
  expect(readFileSync(file, 'utf8')).toBe('two\n');
  expect(heard).toEqual([
    'checkpoint: 1 checkpoints',
    'Restore code state?',
    'info: Code restored to checkpoint',
  ]);
});

test('a notes hook uses session entries, a command, a message and its renderer', async () => {
  const heard: string[] = [];
  const kept: unknown[] = [{ type: 'custom', id: 'e1', parentId: null, customType: 'notes', data: ['old'] }];
  const runner = await runnerFor('plan-notes.mjs', {
    ui: person(heard),
    session: { entries: () => kept },
    messages: {
      send() {},
      append: (customType, data) => void kept.push({ type: 'custom', customType, data }),
    },
  });
  await runner.emit({ type: 'session_start' });
  await runner.getCommand('note')!.handler('new', runner.createCommandContext());
  expect([heard, kept.at(-1)]).toEqual([
    ['info: 2 notes'],
    { type: 'custom', customType: 'notes', data: ['old', 'new'] },
  ]);
  const given = await runner.emitBeforeAgentStart('go');
  expect(given).toEqual({
    message: { customType: 'notes', content: 'old; new', display: true, details: ['old', 'new'] },
  });
  const draw = runner.getMessageRenderer('notes')!;
  const message = { role: 'custom' as const, ...given!.message! };
  expect(draw(message, { expanded: true }, PLAIN)?.render(80)).toEqual(['old', 'new']);
  expect(draw(message, { expanded: false }, PLAIN)?.render(80)).toEqual(['old; new']);
});
