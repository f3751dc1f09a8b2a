/** Recorded payloads of Grok Build 1.0.41 (2026-11-16), and the answers it obeys. */

import { describe, expect, test } from 'vitest';
import { outcome as said } from '../../../testing/outcome.ts';
import { recordedIn } from '../../shared/dialect/fixtures/recorded.ts';
import { exited } from '../../shared/dialect/fixtures/replies.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { grokBuild } from './index.ts';

const { names, native, read, sentTo } = recordedIn(import.meta.dirname, grokBuild);

test.each(names)('the recorded payload %s is read, and passed to a hook of its event unchanged', (name) => {
  const event = read(name);
  expect(sentTo(hookFor, name)).toMatchObject(native(name));
  expect([event.ids.session, event.raw]).toEqual([native(name)['session_id'], native(name)]);
});

test('the result is read from the field of each tool, and a subagent is marked', () => {
  const shown = (name: string) => (read(name).payload as { content: unknown }).content;
  expect([shown('PostToolUse.run_terminal_command'), shown('PostToolUse.write')]).toEqual([
    [{ type: 'text', text: 'exit: 0\nhi\n' }],
    [{ type: 'text', text: 'The file <cwd>/a.txt has been created.' }],
  ]);
  expect(read('PreToolUse.run_terminal_command-in-subagent').scene.agentType).toBe('general-purpose');
});

test('the second Stop, at the end of the program, is not a stop that can be resumed', () => {
  expect([read('Stop.end_turn').name, read('Stop.shutdown').name]).toEqual(['turn.stop', 'other']);
});

describe('an answer for Grok Build', () => {
  const call = read('PreToolUse.run_terminal_command');

  test('a refusal is exit 2 with the reason, and a change is sent with an approval', () => {
    const deny = said(call, { verdict: 'deny', reasons: [{ by: 'h', text: 'no rm' }] });
    expect(grokBuild.output.write(deny, call)).toEqual(exited(2, '', 'no rm\n'));
    const payload = { tool: 'run_terminal_command', input: { command: 'ls' } };
    const change = said(call, { payload, changed: [{ by: 'h', at: 'input.command' }] });
    expect(grokBuild.output.write(change, call)).toEqual(
      exited(
        0,
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls"}}}\n',
        '',
      ),
    );
  });
});
