/** Hooks that a program can never call are reported, even without a session start to carry the message. */

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { AI_SDK_CAN, wrapTools } from '../adapters/ai-sdk/index.ts';
import { EVERYTHING } from '../events/capabilities.ts';
import type { Capabilities } from '../events/capabilities.ts';
import { createHooks } from '../index.ts';

function home(files: Readonly<Record<string, object>>): string {
  const root = mkdtempSync(join(tmpdir(), 'ah-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), JSON.stringify(content));
  }
  return root;
}
const HOOKS = '.config/anyhook/hooks.json';
const open = (files: Readonly<Record<string, object>>, can: Capabilities) => {
  const at = home(files);
  return createHooks({ host: { name: 'my-app', can }, home: at, cwd: at, journal: false });
};
const stop = { hooks: { 'turn.stop': [{ run: 'exit 0' }], 'tool.before': [{ run: 'exit 0' }] } };

test('a hook for an event that the program does not fire is a problem that names the event', async () => {
  await using hooks = await open({ [HOOKS]: stop }, AI_SDK_CAN);
  expect(hooks.problems.map(({ code, message }) => [code, message])).toEqual([
    ['never-called', 'a hook for turn.stop will never be called: my-app does not fire this event.'],
  ]);
});

test('a program that fires every event has no such problem', async () => {
  await using hooks = await open({ [HOOKS]: stop }, EVERYTHING);
  expect(hooks.problems).toEqual([]);
});

test('wrapTools of the AI SDK warns once of hooks that it cannot call', async () => {
  await using hooks = await open({ [HOOKS]: stop }, AI_SDK_CAN);
  const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  wrapTools({}, hooks);
  wrapTools({}, hooks);
  const texts = warnings.mock.calls.map(([text]) => String(text));
  warnings.mockRestore();
  expect(texts).toEqual([expect.stringContaining('turn.stop will never be called')]);
});

const prompt = {
  hooks: { PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'Is this safe? $ARGUMENTS' }] }] },
};

test('a prompt hook in a host without a model is reported when the session starts', async () => {
  await using hooks = await open({ '.claude/settings.json': prompt }, EVERYTHING);
  const { forPerson } = await hooks.fire({ name: 'session.start', payload: {} });
  expect(forPerson).toEqual([expect.stringContaining('hooks that ask a model')]);
});

test('a prompt hook in a host with a model is not reported', async () => {
  const at = home({ '.claude/settings.json': prompt });
  await using hooks = await createHooks({
    host: { name: 'my-app', can: EVERYTHING },
    home: at,
    cwd: at,
    journal: false,
    services: { judge: async () => '{"ok":true}' },
  });
  const { forPerson } = await hooks.fire({ name: 'session.start', payload: {} });
  expect(forPerson).toEqual([]);
});
