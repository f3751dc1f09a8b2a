/** Hooks that redact results: removed data stays removed, even if a later hook or the redactor breaks. */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { set } from '../events/effects.ts';
import type { CallbackSpec } from '../gather/options.ts';
import { createHooks } from '../index.ts';

const SECRET = 'hunter2';
const broken = (): never => {
  throw new Error('broken');
};
async function resultOf(result: unknown, spec: CallbackSpec<'tool.after'>): Promise<unknown> {
  await using hooks = await createHooks({
    host: { name: 'test', can: EVERYTHING },
    settings: false,
    journal: false,
    home: mkdtempSync(join(tmpdir(), 'ah-')),
    hooks: { 'tool.after': spec },
  });
  return await hooks.wrapTool({ name: 'read', execute: () => result }).execute({});
}

test('a redactor that breaks withholds the result if its failure blocks', async () => {
  const result = await resultOf(SECRET, { run: broken, onFailure: 'block' });
  expect(String(result)).toMatch(/^The result was withheld: .* failed/);
  expect(String(result)).not.toContain(SECRET);
});

test('a hook that is only a mutator withholds the result when it breaks, without an extra setting', async () => {
  expect(String(await resultOf(SECRET, { run: broken, roles: ['mutator'] }))).not.toContain(SECRET);
});

test('a hook that only checks results lets them pass when it breaks', async () => {
  expect(await resultOf(SECRET, { run: broken })).toBe(SECRET);
  expect(await resultOf(SECRET, { run: broken, roles: ['observer'], onFailure: 'block' })).toBe(SECRET);
});

test('a redactor that times out withholds the result if its failure blocks', async () => {
  const spec: CallbackSpec<'tool.after'> = {
    run: () => new Promise(() => {}),
    timeoutMs: 50,
    onFailure: 'block',
  };
  expect(String(await resultOf(SECRET, spec))).toContain('timed-out');
});

const redact: CallbackSpec<'tool.after'> = {
  run: ({ payload }) =>
    set('content', JSON.parse(JSON.stringify(payload.content).replaceAll(SECRET, '***')) as unknown[]),
};
const mcp = (text: string) => ({ content: [{ type: 'text', text }] });

test('the structured content of an MCP result does not bring back what a hook took out of its content', async () => {
  const told = JSON.stringify({ password: SECRET });
  expect(await resultOf({ ...mcp(told), structuredContent: { password: SECRET } }, redact)).toEqual({
    content: [{ type: 'text', text: '{"password":"***"}' }],
    structuredContent: { password: '***' },
  });
  const apart = { ...mcp(`the password is ${SECRET}`), structuredContent: { password: SECRET } };
  expect(JSON.stringify(await resultOf(apart, redact))).not.toContain(SECRET);
});

test('a broken redactor withholds the structured content of an MCP result too', async () => {
  const result = { ...mcp(SECRET), structuredContent: { password: SECRET } };
  const returned = await resultOf(result, { run: broken, onFailure: 'block' });
  expect(JSON.stringify(returned)).not.toContain(SECRET);
  expect(returned).toMatchObject({ isError: true });
});

test('an MCP result that no hook changes is returned as it is', async () => {
  const result = { ...mcp('fine'), structuredContent: { a: 1 }, _meta: {} };
  expect(await resultOf(result, redact)).toBe(result);
});

test('a redactor that sets an unknown field gets a suggestion for the right one', async () => {
  await using hooks = await createHooks({
    host: { name: 'test', can: EVERYTHING },
    settings: false,
    journal: false,
    home: mkdtempSync(join(tmpdir(), 'ah-')),
    hooks: { 'tool.after': () => ({ kind: 'set', at: ['contents'], to: [] }) as never },
  });
  const payload = { tool: 'read', input: {}, content: [{ type: 'text', text: SECRET }] };
  const { runs } = await hooks.fire({ name: 'tool.after', payload });
  expect(runs[0]!.answer!.failed).toEqual({
    kind: 'unreadable',
    detail: '"contents" of tool.after cannot be changed. Did you mean "content"?',
  });
});
