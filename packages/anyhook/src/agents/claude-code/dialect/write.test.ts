import { describe, expect, test } from 'vitest';
import { lower } from '../../../engine/lower.ts';
import { apply } from '../../../events/changes.ts';
import { type Change, type Effect, type Fields, set } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { ExitReply } from '../../../events/exchange.ts';
import { outcomeOf, type Ruling, silentOutcome } from '../../../events/outcome.ts';
import { event, outcome, SAMPLES } from '../../../testing/index.ts';
import { type ClaudeWord, CLAUDE_WORDS, claudeEvent } from './events.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { claudeCode } from './index.ts';

const about = (word: ClaudeWord): Event => {
  const { on } = claudeEvent(word);
  const raw = {
    hook_event_name: word,
    session_id: 'test',
    cwd: '/project',
    ...(on === 'tool.after' && { tool_response: { stdout: 'a b' } }),
  };
  return event(on, (on === 'other' ? { word, body: {} } : SAMPLES[on]) as never, { raw });
};
/** Creates the outcome that the engine would create from these parts. */
function rulingOf(word: ClaudeWord, over: Partial<Ruling>, changes: readonly Change[] = []): Ruling {
  const payload = apply(about(word).payload as Fields, changes);
  const changed = changes.map(({ at }) => ({ by: 'h', at: at.join('.') }));
  return { ...silentOutcome(about(word)), payload, changed, ...over };
}
const write = (
  word: ClaudeWord,
  over: Partial<Ruling>,
  changes?: Parameters<typeof rulingOf>[2],
): ExitReply =>
  claudeCode.output.write(
    outcomeOf(rulingOf(word, over, changes), about(word).name),
    about(word),
  ) as ExitReply;
const said = (word: ClaudeWord, over: Partial<Ruling>, changes?: Parameters<typeof rulingOf>[2]) => {
  const { code, stdout, stderr } = write(word, over, changes);
  return [code, stdout === '' ? '' : (JSON.parse(stdout) as unknown), stderr];
};
const because = (text: string) => [{ by: 'h', text }];
const own = (word: ClaudeWord, fields: object) => ({
  hookSpecificOutput: { hookEventName: word, ...fields },
});
const deny = { verdict: 'deny', reasons: because('no') } as const;

describe('an answer for Claude Code', () => {
  test.each(CLAUDE_WORDS)('%s: an empty outcome writes nothing', (word) => {
    expect(write(word, {})).toEqual({ kind: 'exited', code: 0, stdout: '', stderr: '' });
  });

  test('a refused tool call is written as JSON and exit 2', () => {
    expect(said('PreToolUse', deny)).toEqual([
      2,
      own('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no' }),
      'no\n',
    ]);
  });

  test('a refused permission is written only as JSON, because exit 2 would be ignored', () => {
    expect(said('PermissionRequest', { ...deny, flow: { halt: '' } })).toEqual([
      0,
      {
        continue: false,
        ...own('PermissionRequest', { decision: { behavior: 'deny', message: 'no', interrupt: true } }),
      },
      '',
    ]);
    expect(
      said('PermissionRequest', { verdict: 'allow', reasons: [] }, [set('input', 'command', 'x')]),
    ).toEqual([
      0,
      own('PermissionRequest', { decision: { behavior: 'allow', updatedInput: { command: 'x' } } }),
      '',
    ]);
    expect(said('PermissionRequest', { verdict: 'ask', reasons: because('?') })).toEqual([0, '', '']);
  });

  test.each([
    ['UserPromptSubmit', deny],
    ['UserPromptExpansion', deny],
    ['ConfigChange', deny],
    ['TaskCreated', deny],
    ['PreCompact', { flow: { cancel: 'no' } }],
    ['Stop', { flow: { resume: 'no' } }],
    ['SubagentStop', { flow: { resume: 'no' } }],
  ] as const)('%s: a refusal is a decision and exit 2', (word, over) => {
    expect(said(word, over)).toEqual([2, { decision: 'block', reason: 'no' }, 'no\n']);
  });

  test('a refusal without a reason gets one', () => {
    expect(said('Stop', { flow: { resume: '' } })[2]).not.toBe('');
    expect(said('PreToolUse', { verdict: 'deny', reasons: [] })[2]).not.toBe('');
  });

  test('an approval, a question and a changed input are written', () => {
    expect(said('PreToolUse', { verdict: 'allow', reasons: because('fine') })).toEqual([
      0,
      own('PreToolUse', { permissionDecision: 'allow', permissionDecisionReason: 'fine' }),
      '',
    ]);
    expect(said('PreToolUse', { verdict: 'ask', reasons: [] }, [set('input', 'command', 'ls -l')])).toEqual([
      0,
      own('PreToolUse', {
        permissionDecision: 'ask',
        permissionDecisionReason: 'a hook wants the user to decide, and gave no reason',
        updatedInput: { command: 'ls -l' },
      }),
      '',
    ]);
    expect(said('PreToolUse', deny, [set('input', 'command', 'x')])[1]).not.toHaveProperty(
      'hookSpecificOutput.updatedInput',
    );
  });

  test('messages for the model and the user, and the end of the turn are written', () => {
    const over = {
      said: [
        { by: 'a', to: 'model', text: 'one' },
        { by: 'b', to: 'person', text: 'hey' },
        { by: 'c', to: 'model', text: 'two' },
      ],
      flow: { halt: 'enough' },
    } as const;
    expect(said('PostToolUse', over)).toEqual([
      0,
      {
        continue: false,
        stopReason: 'enough',
        systemMessage: 'hey',
        ...own('PostToolUse', { additionalContext: 'one\ntwo' }),
      },
      '',
    ]);
    expect(said('PreCompact', { said: over.said })).toEqual([0, '', '']); // no one receives it there
  });

  test('a changed output keeps the shape of the tool', () => {
    const parts = [{ type: 'text', text: 'redacted' }];
    expect(said('PostToolUse', {}, [set('content', parts)])).toEqual([
      0,
      own('PostToolUse', { updatedToolOutput: { stdout: 'redacted', stderr: '' } }),
      '',
    ]);
    expect(said('PostToolUse', {}, [set('details', { stdout: 'x' })])[1]).toEqual(
      own('PostToolUse', { updatedToolOutput: { stdout: 'x' } }),
    );
  });

  test('titles, first messages and retries are written', () => {
    const given = [
      { by: 'h', what: 'title', value: 't' },
      { by: 'h', what: 'message', value: 'm' },
    ] as const;
    expect(said('SessionStart', { given })[1]).toEqual(
      own('SessionStart', { initialUserMessage: 'm', sessionTitle: 't' }),
    );
    expect(said('PermissionDenied', { flow: { retry: '' } })[1]).toEqual(
      own('PermissionDenied', { retry: true }),
    );
  });

  test('native events have their own fields', () => {
    expect(said('MessageDisplay', {}, [set('body', 'displayContent', 'x')])[1]).toEqual(
      own('MessageDisplay', { displayContent: 'x' }),
    );
    expect(
      said('Elicitation', {}, [set('body', 'action', 'accept'), set('body', 'content', { a: 1 })])[1],
    ).toEqual(own('Elicitation', { action: 'accept', content: { a: 1 } }));
    expect(said('Elicitation', deny, [set('body', 'action', 'accept')])).toEqual([
      0,
      own('Elicitation', { action: 'decline' }),
      '',
    ]);
    expect(write('WorktreeCreate', {}, [set('body', 'worktreePath', '/tmp/wt')])).toMatchObject({
      code: 0,
      stdout: '/tmp/wt\n',
    });
    expect(write('WorktreeCreate', deny)).toMatchObject({ code: 2, stderr: 'no\n' });
    expect(said('PostToolBatch', { flow: { halt: 'no' } })).toEqual([
      2,
      { continue: false, stopReason: 'no', decision: 'block', reason: 'no' },
      'no\n',
    ]);
    expect(said('PreModelSwitch', deny)).toEqual([
      2,
      own('PreModelSwitch', { permissionDecision: 'deny', permissionDecisionReason: 'no' }),
      'no\n',
    ]);
  });

  test('a refusal of an event newer than the table is exit 2', () => {
    const newer = event('other', { word: 'BrandNew', body: {} }, { raw: { hook_event_name: 'BrandNew' } });
    expect(claudeCode.output.write(outcome(newer, deny), newer)).toEqual({
      kind: 'exited',
      code: 2,
      stdout: '',
      stderr: 'no\n',
    });
  });
});

describe('reading a written answer', () => {
  const kinds = (word: ClaudeWord, over: Partial<Ruling>, changes?: Parameters<typeof rulingOf>[2]) => {
    const lowered = lower(rulingOf(word, over, changes), about(word), claudeCode.can);
    const low = outcomeOf(lowered, about(word).name);
    return claudeCode.output.read(claudeCode.output.write(low, about(word)), about(word), hookFor(word));
  };
  const ROUND: readonly (readonly [ClaudeWord, Partial<Ruling>, readonly Effect[]])[] = [
    ['PermissionRequest', deny, [{ kind: 'deny', reason: 'no' }]],
    ['PermissionRequest', { verdict: 'allow', reasons: [] }, [{ kind: 'allow' }]],
    ['PreModelSwitch', deny, [{ kind: 'deny', reason: 'no' }]],
    ['PreModelSwitch', { verdict: 'ask', reasons: because('?') }, [{ kind: 'ask', reason: '?' }]],
    ['TaskCreated', deny, [{ kind: 'deny', reason: 'no' }]],
    ['TaskCompleted', deny, [{ kind: 'deny', reason: 'no' }]],
    ['ConfigChange', deny, [{ kind: 'deny', reason: 'no' }]],
    ['TeammateIdle', { flow: { resume: 'go on' } }, [{ kind: 'resume', reason: 'go on' }]],
    ['Setup', { said: [{ by: 'h', to: 'model', text: 'c' }] }, [{ kind: 'context', text: 'c' }]],
    ['PreToolUse', { verdict: 'defer', reasons: because('later') }, [{ kind: 'deny', reason: 'later' }]],
  ];
  test.each(ROUND)('a written answer is read back unchanged: %s %j', (word, over, expected) => {
    expect(kinds(word, over)).toMatchObject({ effects: expected });
    expect(kinds(word, over).failed).toBeUndefined();
  });

  test('written changes are read back unchanged', () => {
    for (const [word, change] of [
      ['PreToolUse', set('input', 'command', 'ls -l')],
      ['MessageDisplay', set('body', 'displayContent', 'x')],
      ['CwdChanged', set('body', 'watchPaths', ['/a'])],
      ['WorktreeCreate', set('body', 'worktreePath', '/tmp/wt')],
    ] as const)
      expect(kinds(word, {}, [change]).effects, word).toEqual([change]);
  });

  test('a changed prompt, which Claude Code does not support, becomes a refusal', () => {
    const answer = kinds('UserPromptSubmit', {}, [set('prompt', 'other')]);
    expect(answer.effects).toEqual([
      { kind: 'deny', reason: expect.stringMatching(/^this host cannot change prompt; /) as string },
    ]);
  });
});
