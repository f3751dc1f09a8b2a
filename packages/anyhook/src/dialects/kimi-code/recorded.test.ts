/** What Kimi Code 2.1.0 really sent (2026-11-16), and the answers it obeys. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../canon/event.ts';
import { outcome as said } from '../../testing/outcome.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { kimiCode } from './index.ts';

const FOLDER = join(import.meta.dirname, 'fixtures/recorded');
const recorded = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Record<string, unknown>;
const NAMES = readdirSync(FOLDER)
  .map((file) => file.replace(/\.json$/, ''))
  .filter((name) => !name.startsWith('_'));
const read = (name: string): Event => kimiCode.payload.read(recorded(name));
const exited = (code: number, stdout: string, stderr: string) => ({ kind: 'exited', code, stdout, stderr });

test.each(NAMES)('%s is read, and goes to a hook of its own as it came', (name) => {
  const native = recorded(name);
  const event = kimiCode.payload.read(native);
  const request = kimiCode.payload.write(event, hookFor(String(native['hook_event_name'])));
  expect(request.kind === 'command' && JSON.parse(request.stdin!)).toMatchObject(native);
  expect([event.ids.session, event.raw]).toEqual([native['session_id'], native]);
});

test('a prompt is a list of parts, a result a text, an error an object', () => {
  expect(read('UserPromptSubmit').payload).toEqual({ prompt: 'Please do the task.' });
  expect(read('PostToolUse.Bash').payload).toEqual({
    tool: 'Bash',
    input: { command: 'echo hi' },
    content: [{ type: 'text', text: 'hi\n' }],
  });
  expect(read('PostToolUseFailure.Read').payload).toMatchObject({
    error: '"<cwd>/missing.txt" does not exist.',
  });
});

describe('an answer for Kimi Code', () => {
  test('a refusal is exit 2 with the reason; context is text, and only with a prompt', () => {
    const call = read('PreToolUse.Bash');
    const deny = said(call, { verdict: 'deny', reasons: [{ by: 'h', text: 'no rm' }] });
    expect(kimiCode.output.write(deny, call)).toEqual(exited(2, '', 'no rm\n'));
    const prompt = read('UserPromptSubmit');
    const told = { said: [{ by: 'h', to: 'model', text: 'know this' }] } as const;
    expect(kimiCode.output.write(said(prompt, told), prompt)).toEqual(exited(0, 'know this\n', ''));
  });
});

describe('config.toml', () => {
  const PLACE = { layer: 'user', file: 'config.toml' } as const;

  test('a hook stands where its table begins; what is wrong is said there', () => {
    const text = `default_model = "x"

[[hooks]]
event = "PreToolUse"
matcher = "Bash"
command = "true"
timeout = 5

[[hooks]]
event = "PreTolUse"
command = "true"

[[hooks]]
event = "Stop"
`;
    const { hooks, problems } = kimiCode.config.read(text, PLACE);
    expect(hooks.map(({ on, origin, timeoutMs, run }) => [on, origin.line, timeoutMs, run.kind])).toEqual([
      ['PreToolUse', 3, 5_000, 'command'],
      ['Stop', 13, 30_000, 'missing'],
    ]);
    expect(problems.map(({ line, message }) => [line, message])).toEqual([
      [9, 'unknown event "PreTolUse".'],
      [13, 'has no "command".'],
    ]);
  });

  test('a file that is no TOML is named with its line', () => {
    const { hooks, problems } = kimiCode.config.read('a = 1\nb = = 2\n', PLACE);
    expect([hooks, problems.map(({ code, line }) => [code, line])]).toEqual([[], [['syntax', 2]]]);
  });
});
