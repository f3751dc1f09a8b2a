/** Events that only pi sends to extensions, fired in other agents. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ground, shell } from '../library/fixtures/ground.ts';

const EXTENSION = 'home/.pi/agent/extensions/own.ts';
const PROMPT = { name: 'prompt.submit', payload: { prompt: 'hello' } } as const;

const opened = (code: string) => {
  const place = ground({ [EXTENSION]: `export default (pi) => {\n${code}\n};` });
  return { place, hooks: place.open({ journal: false, trust: { selfProtection: false } }) };
};

test('an `input` handler of a pi extension rewrites the prompt of another agent', async () => {
  const { hooks } = opened(`
    pi.on('input', ({ text }) => ({ action: 'transform', text: text + ' one' }));
    pi.on('input', ({ text }) => ({ action: 'transform', text: text + ' two' }));
    pi.on('input', () => ({ action: 'continue' }));`);
  const { payload, proceed } = await (await hooks).fire(PROMPT);
  expect([proceed, payload.prompt]).toEqual(['yes', 'hello one two']);
  expect((await hooks).problems).toEqual([]);
});

test('a prompt that an `input` handler marks as handled does not reach the model', async () => {
  for (const answer of [`{ action: 'handled' }`, `{ handled: true }`]) {
    const { hooks } = opened(`pi.on('input', () => (${answer}));`);
    expect((await (await hooks).fire(PROMPT)).proceed).toBe('no');
  }
});

test('an `input` handler that throws or returns nothing lets the prompt pass', async () => {
  const { hooks } = opened(`
    pi.on('input', () => { throw new Error('broken'); });
    pi.on('input', () => {});`);
  const { payload, proceed } = await (await hooks).fire(PROMPT);
  expect([proceed, payload.prompt]).toEqual(['yes', 'hello']);
});

test('`tool_execution_start` and `tool_execution_end` handlers receive the calls of another agent and cannot change them', async () => {
  const { place, hooks } = opened(`
    const { appendFileSync } = require('node:fs');
    for (const word of ['tool_execution_start', 'tool_execution_end'])
      pi.on(word, (event) => {
        appendFileSync(event.cwd + '/seen', JSON.stringify(event) + '\\n');
        return { block: true, content: [] };
      });`);
  const call = shell('ls', { session: 's', call: 'c' });
  const fire = (await hooks).fire;
  expect((await fire(call)).proceed).toBe('yes');
  const content = [{ type: 'text', text: 'a b' }];
  const after = await fire({ ...call, name: 'tool.after', payload: { ...call.payload, content } });
  expect(after.payload.content).toEqual(content);
  await fire({ ...call, name: 'tool.failed', payload: { ...call.payload, error: 'exit 1' } });
  const seen = readFileSync(join(place.cwd, 'seen'), 'utf8').trim().split('\n');
  const shared = { toolName: 'bash', toolCallId: 'c', sessionId: 's', cwd: place.cwd };
  expect(seen.map((line) => JSON.parse(line) as object)).toEqual([
    { type: 'tool_execution_start', ...shared, args: { command: 'ls' } },
    { type: 'tool_execution_end', ...shared, result: { content }, isError: false },
    {
      type: 'tool_execution_end',
      ...shared,
      result: { content: [{ type: 'text', text: 'exit 1' }] },
      isError: true,
    },
  ]);
});

test('a `tool_execution_start` handler that throws does not refuse the call', async () => {
  const { hooks } = opened(`pi.on('tool_execution_start', () => { throw new Error('broken'); });`);
  expect((await (await hooks).fire(shell('ls'))).proceed).toBe('yes');
});
