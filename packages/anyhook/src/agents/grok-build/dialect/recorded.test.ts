/** What Grok Build 1.0.41 really sent (2026-11-16), and the answers it obeys. */
import { describe, expect, test } from 'vitest';
import { outcome as said } from '../../../testing/outcome.ts';
import { recordedIn } from '../../shared/dialect/fixtures/recorded.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { grokBuild } from './index.ts';
import { exited } from '../../shared/dialect/fixtures/replies.ts';

const { names, native, read, sentTo } = recordedIn(import.meta.dirname, grokBuild);

test.each(names)('%s is read, and goes to a hook of its own as it came', (name) => {
  const event = read(name);
  expect(sentTo(hookFor, name)).toMatchObject(native(name));
  expect([event.ids.session, event.raw]).toEqual([native(name)['session_id'], native(name)]);
});

test('results are found where each tool keeps them, and a subagent is told apart', () => {
  const shown = (name: string) => (read(name).payload as { content: unknown }).content;
  expect([shown('PostToolUse.run_terminal_command'), shown('PostToolUse.write')]).toEqual([
    [{ type: 'text', text: 'exit: 0\nhi\n' }],
    [{ type: 'text', text: 'The file <cwd>/a.txt has been created.' }],
  ]);
  expect(read('PreToolUse.run_terminal_command-in-subagent').scene.agentType).toBe('general-purpose');
});

test('the second Stop, when the program ends, is no stop: nothing is left that could go on', () => {
  expect([read('Stop.end_turn').name, read('Stop.shutdown').name]).toEqual(['turn.stop', 'other']);
});

describe('an answer for Grok Build', () => {
  const call = read('PreToolUse.run_terminal_command');

  test('a refusal is exit 2 with the reason, a change goes with an approval', () => {
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
