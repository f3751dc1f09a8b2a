/** Recorded payloads of Copilot CLI 1.0.102 (2026-11-16) in both cases, and the answers it obeys. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../events/event.ts';
import { outcome as said } from '../../../testing/outcome.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { copilotCli } from './index.ts';

const at = (folder: string, name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', folder, `${name}.json`), 'utf8')) as Record<
    string,
    unknown
  >;
/** Two PascalCase payloads do not name their event. */
const NAMES = readdirSync(join(import.meta.dirname, 'fixtures/recorded'))
  .map((file) => file.replace(/\.json$/, ''))
  .filter((name) => !/^_|^SubagentStart|^PermissionRequest/.test(name));
const read = (name: string): Event => copilotCli.payload.read(at('recorded', name));
const exited = (stdout: object, code = 0) => ({
  kind: 'exited',
  code,
  stdout: `${JSON.stringify(stdout)}\n`,
  stderr: '',
});

test.each(NAMES)('the recorded payload %s is read, and passed to a hook of its event unchanged', (name) => {
  const native = at('recorded', name);
  const event = copilotCli.payload.read(native);
  const request = copilotCli.payload.write(event, hookFor(String(native['hook_event_name'])));
  expect(request.kind === 'command' && JSON.parse(request.stdin!)).toMatchObject(native);
});

test('a camelCase hook receives the same call with its own keys and names, without the event', () => {
  const request = copilotCli.payload.write(read('PreToolUse.Bash'), hookFor('preToolUse'));
  const native = at('recorded-camel', 'preToolUse.bash');
  expect(request.kind === 'command' && JSON.parse(request.stdin!)).toEqual({
    ...native,
    timestamp: expect.any(Number),
  });
});

test.each([
  [
    'preToolUse.bash',
    'preToolUse',
    { tool: 'bash', input: { command: 'echo hi', description: 'fake description' } },
  ],
  ['userPromptSubmitted', 'userPromptSubmitted', { prompt: 'Please do the task.' }],
])('the recorded payload %s is read if the event is given', (name, word, payload) => {
  const event = copilotCli.payload.read({ ...at('recorded-camel', name), hook_event_name: word });
  expect([event.payload, event.ids.session]).toEqual([payload, '<id>']);
});

describe('an answer for Copilot CLI', () => {
  const call = read('PreToolUse.Bash');

  test('a refusal is a document, because exit 2 hides its reason from the model', () => {
    const deny = said(call, { verdict: 'deny', reasons: [{ by: 'h', text: 'no rm' }] });
    expect(copilotCli.output.write(deny, call)).toEqual(
      exited({ permissionDecision: 'deny', permissionDecisionReason: 'no rm' }),
    );
    const prompt = read('UserPromptSubmit');
    const no = said(prompt, { verdict: 'deny', reasons: [{ by: 'h', text: 'not so' }] });
    expect(copilotCli.output.write(no, prompt)).toEqual(exited({ decision: 'block', reason: 'not so' }));
  });

  test('a change and context are top-level fields', () => {
    const payload = { tool: 'Bash', input: { command: 'ls' } };
    const change = said(call, {
      payload,
      changed: [{ by: 'h', at: 'input.command' }],
      said: [{ by: 'h', to: 'model', text: 'know this' }],
    });
    expect(copilotCli.output.write(change, call)).toEqual(
      exited({
        permissionDecision: 'allow',
        modifiedArgs: { command: 'ls' },
        additionalContext: 'know this',
      }),
    );
  });
});

describe('a Copilot CLI hook', () => {
  const answer = (code: number, stdout: string, word = 'preToolUse', about = read('PreToolUse.Bash')) =>
    copilotCli.output.read({ kind: 'exited', code, stdout, stderr: 'why' }, about, hookFor(word));

  test('any exit code but 0 refuses a call, and is ignored on other events', () => {
    expect([answer(1, ''), answer(2, '')]).toEqual([
      { effects: [{ kind: 'deny', reason: 'why' }] },
      { effects: [{ kind: 'deny', reason: 'why' }] },
    ]);
    expect(answer(2, '', 'userPromptSubmitted', read('UserPromptSubmit'))).toMatchObject({
      effects: [],
      failed: { kind: 'failed' },
    });
  });

  test('a decision counts on a prompt, and not before a tool', () => {
    const no = '{"decision":"block","reason":"no"}';
    expect(answer(0, no)).toEqual({
      effects: [],
      failed: { kind: 'unreadable', detail: 'Copilot CLI does not support decision "block" on preToolUse' },
    });
    expect(answer(0, no, 'userPromptSubmitted', read('UserPromptSubmit'))).toEqual({
      effects: [{ kind: 'deny', reason: 'no' }],
    });
  });
});
