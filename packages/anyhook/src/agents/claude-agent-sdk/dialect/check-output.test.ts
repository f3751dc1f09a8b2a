import { describe, expect, test } from 'vitest';
import { checkOutput } from './check-output.ts';
import { HOOK_EVENTS, type HookEvent } from './hook-event.ts';
import { fieldsOn } from './output-fields.ts';

const specific = (event: HookEvent, fields: Record<string, unknown>) => ({
  hookSpecificOutput: { hookEventName: event, ...fields },
});

describe('valid answers', () => {
  test.each<[string, HookEvent, unknown, unknown]>([
    ['no decision', 'PreToolUse', {}, {}],
    [
      'every common field',
      'Stop',
      {
        continue: true,
        suppressOutput: false,
        stopReason: 's',
        decision: 'block',
        systemMessage: 'm',
        reason: 'r',
        terminalSequence: '\u0007',
      },
      {
        continue: true,
        suppressOutput: false,
        stopReason: 's',
        decision: 'block',
        systemMessage: 'm',
        reason: 'r',
        terminalSequence: '\u0007',
      },
    ],
    ['async', 'PostToolUse', { async: true, asyncTimeout: 5000 }, { async: true, asyncTimeout: 5000 }],
    [
      "Python's async_",
      'PostToolUse',
      { async_: true, asyncTimeout: 5000 },
      { async: true, asyncTimeout: 5000 },
    ],
    ["Python's continue_", 'PreToolUse', { continue_: false }, { continue: false }],
    ['undefined fields are left out', 'Stop', { decision: undefined, reason: 'r' }, { reason: 'r' }],
  ])('the answer %s is valid', (_title, event, answer, output) => {
    expect(checkOutput(event, answer)).toEqual({ ok: true, output, unknown: [] });
  });

  test.each<[HookEvent, Record<string, unknown>]>([
    [
      'PreToolUse',
      {
        permissionDecision: 'defer',
        permissionDecisionReason: 'r',
        updatedInput: { a: 1 },
        additionalContext: 'c',
      },
    ],
    [
      'PostToolUse',
      { additionalContext: 'c', updatedToolOutput: [1], updatedMCPToolOutput: 'x', classifierContext: 'u' },
    ],
    ['PostToolUseFailure', { additionalContext: 'c' }],
    ['UserPromptSubmit', { additionalContext: 'c', sessionTitle: 't', suppressOriginalPrompt: true }],
    [
      'SessionStart',
      { additionalContext: 'c', initialUserMessage: 'm', watchPaths: ['/a'], reloadSkills: true },
    ],
    ['Notification', { additionalContext: 'c' }],
    ['SubagentStart', { additionalContext: 'c' }],
    ['PermissionRequest', { decision: { behavior: 'allow', updatedInput: {}, updatedPermissions: [] } }],
    ['PermissionRequest', { decision: { behavior: 'deny', message: 'm', interrupt: true } }],
    ['PermissionDenied', { retry: true }],
    ['PreModelSwitch', { permissionDecision: 'ask', permissionDecisionReason: 'r' }],
    ['Elicitation', { action: 'accept', content: { a: 1 } }],
    ['WorktreeCreate', { worktreePath: '/w' }],
    ['MessageDisplay', { displayContent: 'd' }],
  ])('%s accepts %j', (event, fields) => {
    const answer = specific(event, fields);
    expect(checkOutput(event, answer)).toEqual({ ok: true, output: answer, unknown: [] });
  });

  test('a field newer than the table is accepted and reported', () => {
    const answer = { ...specific('Stop', { futureThing: 1 }), brandNew: true };
    expect(checkOutput('Stop', answer)).toEqual({
      ok: true,
      output: answer,
      unknown: ['brandNew', 'hookSpecificOutput.futureThing'],
    });
  });

  test('every event has a row', () => {
    for (const event of HOOK_EVENTS) expect(fieldsOn(event)['hookEventName'], event).toBe('text');
  });
});

describe('invalid answers', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  test.each<[string, HookEvent, unknown, string, string]>([
    ['a text', 'Stop', 'deny', 'output', 'the answer is "deny"; expected an object, {} for no decision'],
    [
      'nothing',
      'Stop',
      undefined,
      'output',
      'the answer is undefined; expected an object, {} for no decision',
    ],
    ['null', 'Stop', null, 'output', 'the answer is null; expected an object, {} for no decision'],
    [
      'a list',
      'Stop',
      [{ decision: 'block' }],
      'output',
      'the answer is [{"decision":"block"}]; expected an object, {} for no decision',
    ],
    [
      'a map',
      'Stop',
      new Map([['decision', 'block']]),
      'output',
      'the answer is {}; expected an object, {} for no decision',
    ],
    ['a number', 'Stop', 7, 'output', 'the answer is 7; expected an object, {} for no decision'],
    [
      'a big number',
      'Stop',
      { reason: 1n },
      'output',
      expect.stringContaining('cannot be written as JSON') as never,
    ],
    ['a circle', 'Stop', cyclic, 'output', expect.stringContaining('cannot be written as JSON') as never],
    [
      'another decision',
      'Stop',
      { decision: 'deny' },
      'decision',
      'decision is "deny"; known are approve, block',
    ],
    [
      'a misspelt decision',
      'Stop',
      { decision: 'Block' },
      'decision',
      'decision is "Block"; did you mean "block"?',
    ],
    [
      'a message that is no text',
      'Stop',
      { systemMessage: 7 },
      'systemMessage',
      'systemMessage is 7; expected a string',
    ],
    [
      'a continue that is no flag',
      'Stop',
      { continue: 'no' },
      'continue',
      'continue is "no"; expected true or false',
    ],
    [
      'a misspelt field',
      'Stop',
      { systemMesage: 'x' },
      'systemMesage',
      'systemMesage is unknown; did you mean systemMessage?',
    ],
    [
      'context at the top',
      'Stop',
      { additionalContext: 'x' },
      'additionalContext',
      'additionalContext belongs under hookSpecificOutput',
    ],
    [
      'a decision beside async',
      'Stop',
      { async: true, decision: 'block' },
      'decision',
      'decision cannot be combined with async: true',
    ],
    [
      'no event name',
      'PreToolUse',
      { hookSpecificOutput: { permissionDecision: 'deny' } },
      'hookSpecificOutput.hookEventName',
      'hookSpecificOutput.hookEventName is undefined; it must be "PreToolUse" here',
    ],
    [
      'another event’s name',
      'PreToolUse',
      specific('PostToolUse', {}),
      'hookSpecificOutput.hookEventName',
      'hookSpecificOutput.hookEventName is "PostToolUse"; it must be "PreToolUse" here',
    ],
    [
      'a part that is no object',
      'Stop',
      { hookSpecificOutput: [] },
      'hookSpecificOutput',
      'hookSpecificOutput is []; expected an object',
    ],
    [
      'a reason at the wrong place',
      'PreToolUse',
      specific('PreToolUse', { reason: 'x' }),
      'hookSpecificOutput.reason',
      'hookSpecificOutput.reason belongs at the top level of the answer',
    ],
    [
      'a field of another event',
      'Stop',
      specific('Stop', { updatedInput: {} }),
      'hookSpecificOutput.updatedInput',
      'hookSpecificOutput.updatedInput only applies to another event',
    ],
    [
      'a misspelt part',
      'PreToolUse',
      specific('PreToolUse', { permissionDecison: 'deny' }),
      'hookSpecificOutput.permissionDecison',
      'hookSpecificOutput.permissionDecison is unknown; did you mean hookSpecificOutput.permissionDecision?',
    ],
    [
      'no permission',
      'PermissionRequest',
      specific('PermissionRequest', {}),
      'hookSpecificOutput.decision',
      'hookSpecificOutput.decision is missing; PermissionRequest needs it',
    ],
    [
      'a permission that is none',
      'PermissionRequest',
      specific('PermissionRequest', { decision: { behavior: 'maybe' } }),
      'hookSpecificOutput.decision',
      'hookSpecificOutput.decision has unknown behavior "maybe"; known are allow, deny',
    ],
    [
      'a wrong part of it',
      'PermissionRequest',
      specific('PermissionRequest', { decision: { behavior: 'deny', message: 3 } }),
      'hookSpecificOutput.decision',
      'hookSpecificOutput.decision is invalid: decision.message is 3; expected a string',
    ],
    [
      'paths that are none',
      'SessionStart',
      specific('SessionStart', { watchPaths: [1] }),
      'hookSpecificOutput.watchPaths',
      'hookSpecificOutput.watchPaths is [1]; expected a list of strings',
    ],
  ])('an invalid answer names its field: %s', (_title, event, answer, field, message) => {
    expect(checkOutput(event, answer)).toEqual({ ok: false, field, message });
  });

  test('a getter is read once, and its first value counts', () => {
    let reads = 0;
    const answer = {
      get decision() {
        return ++reads === 1 ? 'block' : 'approve';
      },
    };
    expect(checkOutput('Stop', answer)).toEqual({ ok: true, output: { decision: 'block' }, unknown: [] });
    expect(reads).toBe(1);
  });
});
