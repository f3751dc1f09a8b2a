/** The effects of answers: exit codes and output first, then the JSON of every event. */

import { describe, expect, test } from 'vitest';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { ExitReply } from '../../../events/exchange.ts';
import { event, SAMPLES } from '../../../testing/index.ts';
import { type ClaudeWord, CLAUDE_WORDS, claudeEvent } from './events.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { claudeCode } from './index.ts';

const about = (word: ClaudeWord): Event => {
  const { on } = claudeEvent(word);
  return event(on, (on === 'other' ? { word, body: { name: 'x' } } : SAMPLES[on]) as never);
};
const exited = (code: number, stdout: string | object = '', stderr = ''): ExitReply => ({
  kind: 'exited',
  code,
  stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout),
  stderr,
});
const read = (word: ClaudeWord, reply: ExitReply, handler?: object) =>
  claudeCode.output.read(reply, about(word), hookFor(word, handler));
const effects = (word: ClaudeWord, ...reply: Parameters<typeof exited>) =>
  read(word, exited(...reply)).effects;
const specific = (word: ClaudeWord, fields: object, top: object = {}) => ({
  ...top,
  hookSpecificOutput: { hookEventName: word, ...fields },
});
const failure = (word: ClaudeWord, ...reply: Parameters<typeof exited>) =>
  read(word, exited(...reply)).failed?.kind;

describe('exit codes', () => {
  const NO: Record<string, readonly object[]> = {
    deny: [{ kind: 'deny', reason: 'no' }],
    cancel: [{ kind: 'cancel', reason: 'no' }],
    halt: [
      { kind: 'halt', reason: 'no' },
      { kind: 'context', text: 'no' },
    ],
    resume: [{ kind: 'resume', reason: 'no' }],
    'tell-model': [{ kind: 'context', text: 'no' }],
    'tell-person': [{ kind: 'notice', text: 'no' }],
    nothing: [],
  };
  test.each(CLAUDE_WORDS)('%s: exit 2 has the effect of the table, with stderr as the reason', (word) => {
    const answer = read(word, exited(2, '', 'no\n'));
    const { block } = claudeEvent(word);
    expect([answer.effects, answer.failed?.kind, answer.printed]).toEqual([
      NO[block],
      block === 'nothing' ? 'failed' : undefined,
      'no\n',
    ]);
  });

  test.each(CLAUDE_WORDS)('%s: exit 2 is a refusal next to unreadable JSON, and without output', (word) => {
    const kinds = (stdout: string, stderr: string) =>
      effects(word, 2, stdout, stderr).map(({ kind }) => kind);
    const refusal = { deny: 'deny', cancel: 'cancel', halt: 'halt', resume: 'resume' }[
      claudeEvent(word).block as 'deny'
    ];
    if (refusal === undefined) return;
    expect(kinds('{"broken', 'x')[0]).toBe(refusal);
    expect(kinds('', '')[0]).toBe(refusal);
    expect(kinds('{"continue": 7}', '')[0]).toBe(refusal);
  });

  test('exit 2 cannot be undone by JSON, whose reason is preferred', () => {
    const said = specific('PreToolUse', {
      permissionDecision: 'allow',
      permissionDecisionReason: 'why',
      updatedInput: { command: 'x' },
      additionalContext: 'c',
    });
    expect(effects('PreToolUse', 2, said, 'stderr')).toEqual([
      { kind: 'deny', reason: 'why' },
      { kind: 'context', text: 'c' },
    ]);
    expect(effects('Stop', 2, { decision: 'block', reason: 'more' }, 'stderr')).toEqual([
      { kind: 'resume', reason: 'more' },
    ]);
    expect(effects('Elicitation', 2, specific('Elicitation', { action: 'accept' }), 'x')).toEqual([
      { kind: 'deny', reason: 'x' },
    ]);
  });

  test.each(CLAUDE_WORDS.filter((word) => word !== 'WorktreeCreate'))(
    '%s: exit 0 without output is no objection, and any other exit code a failure that lets pass',
    (word) => {
      expect(read(word, exited(0))).toEqual({ effects: [] });
      for (const code of [1, 3, 126, 127, 255])
        expect(read(word, exited(code, 'text', 'first line\nsecond'))).toEqual({
          effects: [],
          failed: { kind: 'failed', detail: `exit ${code}: first line` },
          printed: 'text\nfirst line\nsecond',
        });
      expect(claudeCode.failure(word, 'failed', hookFor(word))).toBe('allow');
    },
  );

  test('JSON is read for every exit code', () => {
    expect(effects('PreToolUse', 1, specific('PreToolUse', { permissionDecision: 'deny' }))).toEqual([
      { kind: 'deny' },
    ]);
    expect(failure('PreToolUse', 1, specific('PreToolUse', { permissionDecision: 'deny' }))).toBeUndefined();
    expect(effects('PostToolUse', 127, { decision: 'block', reason: 'r' })).toEqual([
      { kind: 'context', text: 'r' },
    ]);
  });

  test('only a late answer to a model switch refuses, and a missing worktree path', () => {
    const open = (word: ClaudeWord) => claudeCode.failure(word, 'timed-out', hookFor(word));
    expect(CLAUDE_WORDS.filter((word) => open(word) !== 'allow')).toEqual([
      'PreModelSwitch',
      'WorktreeCreate',
    ]);
  });
});

describe('text', () => {
  test.each(CLAUDE_WORDS.filter((word) => word !== 'WorktreeCreate'))(
    '%s: text is context where the table allows it, and is recorded',
    (word) => {
      const answer = read(word, exited(0, 'hello\n'));
      expect([answer.effects, answer.printed]).toEqual([
        claudeEvent(word).plain ? [{ kind: 'context', text: 'hello' }] : [],
        'hello\n',
      ]);
    },
  );

  test('lists and quoted JSON strings are text', () => {
    expect(effects('SessionStart', 0, '["a"]')).toEqual([{ kind: 'context', text: '["a"]' }]);
    expect(effects('PreToolUse', 0, '"{\\"continue\\":false}"')).toEqual([]);
  });

  test('output that starts like JSON and is not is a failure, never context', () => {
    for (const text of ['{', '{"decision": "block"', '{"a":1} trailing', '{"a":1,"a":2}']) {
      expect(effects('UserPromptSubmit', 0, text)).toEqual([]);
      expect(failure('UserPromptSubmit', 0, text), text).toBe('unreadable');
    }
  });

  test('a greeting before the JSON hides no refusal and allows no approval', () => {
    const greeted = (fields: object) => `Welcome!\n${JSON.stringify(specific('PreToolUse', fields))}\n`;
    expect(
      read('PreToolUse', exited(0, greeted({ permissionDecision: 'deny', permissionDecisionReason: 'r' }))),
    ).toMatchObject({
      effects: [{ kind: 'deny', reason: 'r' }],
      failed: { kind: 'unreadable' },
    });
    expect(effects('PreToolUse', 0, greeted({ permissionDecision: 'allow', updatedInput: {} }))).toEqual([]);
    const naive = (text: string) => text.trimStart().startsWith('{');
    expect(naive(greeted({ permissionDecision: 'deny' }))).toBe(false); // so Claude Code sees no JSON at all
  });

  test('a truncated answer is not an answer, and a refusal by exit code still is', () => {
    const cut = { ...exited(0, '{"continue": true}'), notes: { truncated: { stdout: 1 } } };
    expect(read('PreToolUse', cut).failed?.kind).toBe('unreadable');
    expect(read('PreToolUse', { ...cut, code: 2, stderr: 'n' }).effects).toEqual([
      { kind: 'deny', reason: 'n' },
    ]);
  });
});

describe('fields of every answer', () => {
  test('continue: false ends the turn, refuses where no turn can end, and is ignored where unsupported', () => {
    const stop = (word: ClaudeWord) => effects(word, 0, { continue: false, stopReason: 'enough' });
    expect(stop('PreToolUse')).toEqual([{ kind: 'halt', reason: 'enough' }]);
    expect(stop('Stop')).toEqual([{ kind: 'halt', reason: 'enough' }]);
    expect(stop('UserPromptExpansion')).toEqual([{ kind: 'deny', reason: 'enough' }]);
    expect(stop('PreCompact')).toEqual([{ kind: 'cancel', reason: 'enough' }]);
    for (const word of ['SessionStart', 'TaskCreated', 'StopFailure'] as const)
      expect(stop(word)).toEqual([]);
    expect(effects('PreToolUse', 0, { continue: true, suppressOutput: true })).toEqual([]);
  });

  test.each(CLAUDE_WORDS.filter((word) => word !== 'WorktreeCreate'))(
    '%s: systemMessage reaches the recipient in the table',
    (word) => {
      const whom = {
        nobody: [],
        model: [{ kind: 'context', text: 'm' }],
        person: [{ kind: 'notice', text: 'm' }],
      };
      expect(effects(word, 0, { systemMessage: 'm' })).toEqual(whom[claudeEvent(word).message ?? 'person']);
    },
  );

  test.each(CLAUDE_WORDS.filter((word) => word !== 'WorktreeCreate'))(
    '%s: decision "block" counts where the table supports it',
    (word) => {
      const row = claudeEvent(word);
      const expected = row.decides ? effects(word, 2, '', 'r') : [];
      expect(effects(word, 0, { decision: 'block', reason: 'r' })).toEqual(expected);
    },
  );

  test('"approve" is an approval before a tool, and ignored elsewhere', () => {
    expect(effects('PreToolUse', 0, { decision: 'approve', reason: 'ok' })).toEqual([
      { kind: 'allow', reason: 'ok' },
    ]);
    expect(effects('UserPromptSubmit', 0, { decision: 'approve' })).toEqual([]);
  });

  test.each([
    [{ continue: 'no' }],
    [{ decision: 'deny' }],
    [{ decision: 'Block' }],
    [{ decision: { behavior: 'deny' } }],
    [{ reason: 7 }],
    [{ systemMessage: null }],
    [{ hookSpecificOutput: 'x' }],
    [{ hookSpecificOutput: { permissionDecision: 'deny' } }],
    [{ hookSpecificOutput: { hookEventName: 'PostToolUse', permissionDecision: 'deny' } }],
    [specific('PreToolUse', { permissionDecision: 'block' })],
    [specific('PreToolUse', { permissionDecision: true })],
    [specific('PreToolUse', { updatedInput: [] })],
    [specific('PreToolUse', { additionalContext: 7 })],
  ])('%j is not an answer but a failure with a reason, and approves nothing', (said) => {
    const answer = read('PreToolUse', exited(0, said));
    expect([answer.effects, answer.failed?.kind]).toEqual([[], 'unreadable']);
    expect(answer.failed?.detail).not.toBe('');
  });

  test('fields that Claude Code silently ignores are marked, and such an answer approves nothing', () => {
    for (const said of [
      { additionalContext: 'x' },
      { permissionDecision: 'deny' },
      specific('PreToolUse', { retry: true }),
    ])
      expect(read('PreToolUse', exited(0, said)).failed?.kind, JSON.stringify(said)).toBe('unreadable');
    const mixed = specific('PreToolUse', {
      permissionDecision: 'allow',
      additionalContext: 'c',
      sessionTitle: 't',
    });
    expect(read('PreToolUse', exited(0, mixed))).toMatchObject({
      effects: [{ kind: 'context', text: 'c' }],
      failed: { detail: expect.stringContaining('"sessionTitle" means nothing on PreToolUse') as string },
    });
  });

  test('unknown fields are accepted', () => {
    expect(read('PreToolUse', exited(0, { version: 2, continue: true })).failed).toBeUndefined();
  });
});

describe('fields of single events', () => {
  test.each(['allow', 'deny', 'ask', 'defer'] as const)(
    'PreToolUse: permissionDecision %s',
    (permissionDecision) => {
      const said = specific(
        'PreToolUse',
        { permissionDecision, permissionDecisionReason: 'r' },
        { decision: 'approve' },
      );
      expect(effects('PreToolUse', 0, said)).toEqual([{ kind: permissionDecision, reason: 'r' }]);
    },
  );

  test('PreToolUse: updatedInput replaces the whole input, with our argument names', () => {
    expect(
      effects(
        'PreToolUse',
        0,
        specific('PreToolUse', { updatedInput: { command: 'ls -l', run_in_background: true } }),
      ),
    ).toEqual([
      { kind: 'set', at: ['input', 'command'], to: 'ls -l' },
      { kind: 'set', at: ['input', 'background'], to: true },
    ]);
    const write = event('tool.before', { tool: 'write', input: { path: 'a.ts', content: 'x' } });
    const reply = exited(
      0,
      specific('PreToolUse', { updatedInput: { file_path: '/project/a.ts', content: 'y' } }),
    );
    expect(claudeCode.output.read(reply, write, hookFor('PreToolUse')).effects).toEqual([
      { kind: 'set', at: ['input', 'content'], to: 'y' }, // the path keeps the spelling of the host
    ]);
  });

  test('PermissionRequest: a decision with its input or its message', () => {
    const decide = (decision: object) =>
      effects('PermissionRequest', 0, specific('PermissionRequest', { decision }));
    expect(decide({ behavior: 'allow' })).toEqual([{ kind: 'allow' }]);
    expect(decide({ behavior: 'allow', updatedInput: { command: 'x' }, updatedPermissions: [] })).toEqual([
      { kind: 'allow' },
      { kind: 'set', at: ['input', 'command'], to: 'x' },
    ]);
    expect(decide({ behavior: 'deny', message: 'm', interrupt: true })).toEqual([
      { kind: 'deny', reason: 'm' },
      { kind: 'halt', reason: 'm' },
    ]);
    for (const odd of [{}, { behavior: 'ask' }, { behavior: 'deny', message: 7 }])
      expect(failure('PermissionRequest', 0, specific('PermissionRequest', { decision: odd }))).toBe(
        'unreadable',
      );
  });

  test('PermissionDenied: retry', () => {
    expect(effects('PermissionDenied', 0, specific('PermissionDenied', { retry: true }))).toEqual([
      { kind: 'retry' },
    ]);
    expect(effects('PermissionDenied', 0, specific('PermissionDenied', { retry: false }))).toEqual([]);
  });

  test('PostToolUse: the output is replaced, in parts', () => {
    const updated = (fields: object) => effects('PostToolUse', 0, specific('PostToolUse', fields));
    const parts = [{ type: 'text', text: 'redacted' }];
    expect(updated({ updatedToolOutput: { stdout: 'redacted', stderr: '' } })).toEqual([
      { kind: 'set', at: ['content'], to: parts },
    ]);
    expect(updated({ updatedMCPToolOutput: 'redacted' })).toEqual([
      { kind: 'set', at: ['content'], to: parts },
    ]);
    expect(updated({ updatedToolOutput: { stdout: 'a b', stderr: '' } })).toEqual([]);
  });

  test('Stop, SubagentStop: context is a reason to go on', () => {
    for (const word of ['Stop', 'SubagentStop'] as const)
      expect(effects(word, 0, specific(word, { additionalContext: 'run the tests' }))).toEqual([
        { kind: 'resume', reason: 'run the tests' },
      ]);
  });

  test.each(
    CLAUDE_WORDS.filter(
      (word) =>
        claudeEvent(word).fields.includes('additionalContext') && claudeEvent(word).block !== 'resume',
    ),
  )('%s: additionalContext is context', (word) =>
    expect(effects(word, 0, specific(word, { additionalContext: 'c' }))).toEqual([
      { kind: 'context', text: 'c' },
    ]),
  );

  test('SessionStart and UserPromptSubmit: titles and first messages become gifts', () => {
    expect(
      effects(
        'SessionStart',
        0,
        specific('SessionStart', { sessionTitle: 't', initialUserMessage: 'm', watchPaths: ['/a'] }),
      ),
    ).toEqual([
      { kind: 'give', what: 'message', value: 'm' },
      { kind: 'give', what: 'title', value: 't' },
    ]);
    expect(effects('UserPromptSubmit', 0, specific('UserPromptSubmit', { sessionTitle: 't' }))).toEqual([
      { kind: 'give', what: 'title', value: 't' },
    ]);
  });

  test('PreModelSwitch: a decision', () => {
    expect(effects('PreModelSwitch', 0, specific('PreModelSwitch', { permissionDecision: 'ask' }))).toEqual([
      { kind: 'ask' },
    ]);
  });

  test('Elicitation: an answer; declining also refuses', () => {
    expect(
      effects('Elicitation', 0, specific('Elicitation', { action: 'accept', content: { a: 1 } })),
    ).toEqual([
      { kind: 'set', at: ['body', 'action'], to: 'accept' },
      { kind: 'set', at: ['body', 'content'], to: { a: 1 } },
    ]);
    expect(
      effects('ElicitationResult', 0, specific('ElicitationResult', { action: 'decline' }))[0],
    ).toMatchObject({ kind: 'deny' });
  });

  test('MessageDisplay, CwdChanged: displayed text and watched paths', () => {
    expect(effects('MessageDisplay', 0, specific('MessageDisplay', { displayContent: 'x' }))).toEqual([
      { kind: 'set', at: ['body', 'displayContent'], to: 'x' },
    ]);
    expect(effects('CwdChanged', 0, specific('CwdChanged', { watchPaths: ['/a'] }))).toEqual([
      { kind: 'set', at: ['body', 'watchPaths'], to: ['/a'] },
    ]);
  });

  test.each([
    [
      exited(0, 'Preparing…\n\u001b[32m/tmp/wt\u001b[0m\n\n'),
      [{ kind: 'set', at: ['body', 'worktreePath'], to: '/tmp/wt' }],
    ],
    [
      exited(0, specific('WorktreeCreate', { worktreePath: '/tmp/wt' })),
      [{ kind: 'set', at: ['body', 'worktreePath'], to: '/tmp/wt' }],
    ],
    [exited(0, ''), [{ kind: 'deny', reason: 'the hook returned no path' }]],
    [exited(0, 'rel/path'), [{ kind: 'deny', reason: 'rel/path is not an absolute path' }]],
    [exited(0, '/tmp/../etc'), [{ kind: 'deny', reason: '/tmp/../etc holds . or ..' }]],
    [exited(1, '/tmp/wt', 'disk full'), [{ kind: 'deny', reason: 'disk full' }]],
    [
      exited(1, specific('WorktreeCreate', { worktreePath: '/tmp/wt' })),
      [{ kind: 'deny', reason: 'ended with 1' }],
    ],
  ])('WorktreeCreate: the last line is the path, and anything else is a failure', (reply, expected) => {
    expect(read('WorktreeCreate', reply).effects).toEqual(expected);
  });
});

describe('background hooks', () => {
  const late = (reply: ExitReply, over: object = { async: true }) =>
    read('PreToolUse', reply, { type: 'command', command: 'x', ...over }).effects;

  test('background hooks send context to the model and decide nothing', () => {
    const said = specific(
      'PreToolUse',
      { permissionDecision: 'deny', additionalContext: 'c' },
      { systemMessage: 's', continue: false },
    );
    expect(late(exited(0, said))).toEqual([
      { kind: 'context', text: 'c' },
      { kind: 'context', text: 's' },
    ]);
    expect(late(exited(0, { systemMessage: 7, hookSpecificOutput: { additionalContext: 'c' } }))).toEqual([
      { kind: 'context', text: 'c' },
    ]);
    expect(late(exited(2, '', 'no'))).toEqual([]);
  });

  test('background hooks may wake the agent with exit 2', () => {
    const wakes = [
      { kind: 'context', text: 'done' },
      { kind: 'resume', reason: 'done' },
    ];
    expect([
      late(exited(2, 'out', 'done'), { asyncRewake: true }),
      late(exited(2, 'done'), { asyncRewake: true }),
    ]).toEqual([wakes, wakes]);
    expect(late(exited(0, 'x'), { asyncRewake: true })).toEqual([]);
  });

  test('background hooks introduce their output with rewakeMessage and show rewakeSummary to the user', () => {
    const extra = { asyncRewake: true, rewakeMessage: 'The build broke:', rewakeSummary: 'build broken' };
    expect(late(exited(2, '', 'line 3'), extra)).toEqual([
      { kind: 'context', text: 'The build broke:\nline 3' },
      { kind: 'resume', reason: 'The build broke:\nline 3' },
      { kind: 'notice', text: 'build broken' },
    ]);
  });

  test('a hook may declare itself async in the first document of its output', () => {
    const told = JSON.stringify(specific('PreToolUse', { additionalContext: 'c' }));
    const context = [{ kind: 'context', text: 'c' }];
    expect(effects('PreToolUse', 0, `{"async":true,"asyncTimeout":5}\n${told}`)).toEqual(context);
    expect(effects('PreToolUse', 0, `{\n  "async": true\n}\n${told}`)).toEqual(context);
    expect(effects('PreToolUse', 0, '{"async":true}')).toEqual([]);
  });

  test('a hook that declares itself async is awaited if it refuses afterwards, because the model may have written the declaration', () => {
    const no = JSON.stringify(specific('PreToolUse', { permissionDecision: 'deny' }));
    const behind = read('PreToolUse', exited(0, `{"async":true}\n${no}`));
    expect([behind.effects, behind.failed?.kind]).toEqual([[{ kind: 'deny' }], 'unreadable']);
    expect(effects('PreToolUse', 2, '{"async":true}', 'no')).toEqual([{ kind: 'deny', reason: 'no' }]);
    expect(effects('PreToolUse', 0, '{"async":true,"decision":"block","reason":"r"}')).toEqual([
      { kind: 'deny', reason: 'r' },
    ]);
  });
});

describe('answers that do not come from a process', () => {
  const heard = (handler: object, status: number, body: string, word: ClaudeWord = 'PreToolUse') =>
    claudeCode.output.read({ kind: 'answered', status, body }, about(word), hookFor(word, handler));
  const http = { type: 'http', url: 'http://x' };
  const mcp = { type: 'mcp_tool', server: 's', tool: 't' };

  test('HTTP: an object is an answer, an empty body no objection, anything else a failure; no status blocks', () => {
    expect(
      heard(http, 200, JSON.stringify(specific('PreToolUse', { permissionDecision: 'deny' }))).effects,
    ).toEqual([{ kind: 'deny' }]);
    expect([heard(http, 200, ''), heard(http, 204, ' ')]).toEqual([{ effects: [] }, { effects: [] }]);
    for (const [status, body] of [
      [200, 'ok'],
      [200, '[]'],
      [200, '{'],
      [302, ''],
      [403, '{"decision":"block"}'],
      [500, ''],
    ] as const)
      expect(
        [heard(http, status, body).effects, heard(http, status, body).failed === undefined],
        `${status} ${body}`,
      ).toEqual([[], false]);
  });

  test('the text of an MCP tool is read like command output', () => {
    expect(heard(mcp, 200, '{"decision":"block","reason":"r"}').effects).toEqual([
      { kind: 'deny', reason: 'r' },
    ]);
    expect(heard(mcp, 200, 'remember', 'SessionStart').effects).toEqual([
      { kind: 'context', text: 'remember' },
    ]);
    expect(heard(mcp, 200, 'fine')).toEqual({ effects: [], printed: 'fine' });
  });

  test('functions return the answer object itself', () => {
    const returned = (value: unknown) =>
      claudeCode.output.read(
        { kind: 'returned', value, args: [] },
        about('PreToolUse'),
        hookFor('PreToolUse'),
      );
    expect(returned(undefined)).toEqual({ effects: [] });
    expect(returned(specific('PreToolUse', { permissionDecision: 'ask' })).effects).toEqual([
      { kind: 'ask' },
    ]);
    expect(returned('x').failed?.kind).toBe('unreadable');
    expect(
      claudeCode.output.read({ kind: 'threw', message: 'm', args: [] }, about('Stop'), hookFor('Stop'))
        .failed,
    ).toEqual({ kind: 'failed', detail: 'm' });
  });
});

describe('judges', () => {
  const judged = (word: ClaudeWord, body: unknown, over: object = {}) =>
    claudeCode.output.read(
      { kind: 'answered', status: 200, body: typeof body === 'string' ? body : JSON.stringify(body) },
      about(word),
      hookFor(word, { type: 'prompt', prompt: 'p', ...over }),
    );
  const no = { ok: false, reason: 'r' };
  const kinds = (word: ClaudeWord, body: unknown = no, over?: object) =>
    judged(word, body, over).effects.map(({ kind }) => kind);

  test('a judge with ok has no objection on any event', () => {
    for (const word of CLAUDE_WORDS.filter((word) => claudeEvent(word).types.includes('prompt')))
      expect(kinds(word, { ok: true })).toEqual([]);
  });

  test.each([
    ['Stop', ['resume'], ['resume']],
    ['SubagentStop', ['resume'], ['resume']],
    ['PreToolUse', ['deny', 'halt'], ['deny']],
    ['PostToolUse', ['context', 'halt'], ['context']],
    ['TeammateIdle', ['halt'], ['resume']],
    ['PostToolBatch', ['halt', 'context'], ['halt', 'context']],
    ['UserPromptSubmit', ['deny'], ['deny']],
    ['UserPromptExpansion', ['deny'], ['deny']],
    ['PostToolUseFailure', ['context'], ['context']],
    ['TaskCreated', ['deny'], ['deny']],
    ['PermissionRequest', [], []],
    ['PermissionDenied', [], []],
  ] as const)('%s: an objection is %j, and with continueOnBlock %j', (word, ends, continues) => {
    expect([kinds(word), kinds(word, no, { continueOnBlock: true })]).toEqual([ends, continues]);
  });

  test('a judge lets an agent stop if the rest is impossible, except an agent judge', () => {
    expect(kinds('Stop', { ...no, impossible: true })).toEqual([]);
    expect(kinds('Stop', { ...no, impossible: true }, { type: 'agent' })).toEqual(['resume']);
    expect(kinds('PreToolUse', no, { type: 'agent' })).toEqual(['deny']);
  });

  test('a judge may fence its answer, and prose is not an answer', () => {
    expect(kinds('Stop', '```json\n{"ok": false, "reason": "r"}\n```')).toEqual(['resume']);
    for (const body of [
      'No.',
      '{}',
      '{"ok":"false"}',
      '[]',
      '{"ok":true} and more',
      '{"ok":false,"reason":7}',
    ])
      expect([judged('PreToolUse', body).effects, judged('PreToolUse', body).failed?.kind], body).toEqual([
        [],
        'unreadable',
      ]);
  });
});

test('a terminal notification becomes text, and other escape sequences are dropped', () => {
  const told = (terminalSequence: string) => effects('Stop', 0, { terminalSequence });
  expect(told('\u001B]9;done\u0007')).toEqual([{ kind: 'notice', text: 'done' }]);
  expect(told('\u001B]777;notify;Claude;needs you\u001B\\')).toEqual([
    { kind: 'notice', text: 'Claude: needs you' },
  ]);
  expect(told('\u001B]99;i=1:d=0;hello\u001B\\')).toEqual([{ kind: 'notice', text: 'hello' }]);
  for (const other of [
    '\u0007',
    '\u001B]0;title\u0007',
    '\u001B]52;c;eA==\u0007',
    '\u001B]9;4;1;50\u0007',
    '\u001B[2J',
  ])
    expect(told(other), JSON.stringify(other)).toEqual([]);
});

describe('the reader never throws', () => {
  const ODD: readonly unknown[] = [null, 0, true, '', [], {}, [[]], { a: {} }, 'text'];
  test.each(CLAUDE_WORDS)('the reader does not throw for %s', (word) => {
    const keys = [
      'continue',
      'decision',
      'reason',
      'systemMessage',
      'hookSpecificOutput',
      'async',
      '__proto__',
      'constructor',
    ];
    for (const key of keys)
      for (const value of ODD) expect(() => effects(word, 0, { [key]: value } as Fields)).not.toThrow();
    for (const field of [...claudeEvent(word).fields, 'hookEventName', '__proto__'])
      for (const value of ODD)
        expect(() => effects(word, 0, specific(word, { [field]: value }))).not.toThrow();
  });
});
