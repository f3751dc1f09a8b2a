/** Recorded payloads of Goose 1.52.0 (2026-11-15): other field names than documented, and no tool output. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { outcome } from '../../../testing/outcome.ts';
import { goose } from './index.ts';

const FOLDER = join(import.meta.dirname, 'fixtures/1.52.0');
const recorded = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Record<string, unknown>;
const NAMES = readdirSync(FOLDER)
  .map((file) => file.replace(/\.json$/, ''))
  .filter((name) => !name.startsWith('_'));
const read = (name: string) => goose.payload.read(recorded(name), { PWD: '/where/it/runs' });

describe('a payload of current Goose', () => {
  test.each(NAMES)('the recorded payload %s is read, including its folder', (name) => {
    const native = recorded(name);
    const event = read(name);
    expect([event.ids.session, event.raw]).toEqual([native['session_id'], native]);
    expect(event.scene.cwd).toBe(native['working_dir'] ?? '/where/it/runs');
  });

  test('a call includes its id', () => {
    expect(read('PreToolUse.shell')).toMatchObject({
      name: 'tool.before',
      payload: { tool: 'shell', input: { command: 'echo hi' } },
      ids: { session: '<id>', call: '<call-id>' },
    });
  });

  test('a prompt is a message, a stop has the last message, a file event has a path', () => {
    expect(read('UserPromptSubmit').payload).toEqual({ prompt: 'Please do the task.' });
    expect(read('Stop').payload).toEqual({ active: false, lastMessage: 'done' });
    expect(read('AfterFileEdit.edit').payload).toEqual({ file: '<cwd>/a.txt' });
  });

  test('a policy result is a denial only if it denied', () => {
    expect(read('PreToolUseResult.shell').name).toBe('other');
    const denied = { ...recorded('PreToolUseResult.shell'), decision: 'deny', reason: 'no' };
    expect(goose.payload.read(denied)).toMatchObject({ name: 'tool.denied', payload: { reason: 'no' } });
  });
});

test('a refusal is written as 1.52 reads it: exit 2, the reason on stderr, and the same as JSON', () => {
  const event = read('PreToolUse.shell');
  const denied = outcome(event, { verdict: 'deny', reasons: [{ by: 'h', text: 'no' }] });
  expect(goose.output.write(denied, event)).toEqual({
    kind: 'exited',
    code: 2,
    stdout: '{"decision":"block","reason":"no"}',
    stderr: 'no',
  });
});
