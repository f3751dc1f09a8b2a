/** Complete results of Claude Code answers: failure reasons, marks and recorded output. */

import { describe, expect, test } from 'vitest';
import { cancel, context, deny, halt, notice, resume, retry, set } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { Reply } from '../../../events/exchange.ts';
import { event, SAMPLES } from '../../../testing/index.ts';
import { type ClaudeWord, claudeEvent } from './events.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { output } from './output.ts';

const about = (word: ClaudeWord): Event => {
  const { on } = claudeEvent(word);
  return event(on, (on === 'other' ? { word, body: { name: 'x' } } : SAMPLES[on]) as never);
};
const read = (word: ClaudeWord, reply: Reply, handler?: object) =>
  output.read(reply, about(word), hookFor(word, handler));
const exited = (code: number, stdout: string | object = '', stderr = ''): Reply => ({
  kind: 'exited',
  code,
  stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout),
  stderr,
});
const specific = (word: ClaudeWord, fields: object, top: object = {}) => ({
  ...top,
  hookSpecificOutput: { hookEventName: word, ...fields },
});
const detail = (word: ClaudeWord, document: object) => read(word, exited(0, document)).failed?.detail;
const NO_REASON = 'blocked by a hook that gave no reason';

describe('an unreadable answer', () => {
  test.each<[document: object, why: string]>([
    [{ continue: 'no' }, '"continue" is "no"; expected true or false'],
    [{ stopReason: 7 }, '"stopReason" is 7; expected a string'],
    [{ decision: 'maybe' }, '"decision" is "maybe"; expected approve, block'],
    [{ hookSpecificOutput: 'x' }, '"hookSpecificOutput" is "x"; expected an object'],
    [{ async: false, asyncTimeout: '7' }, '"asyncTimeout" is "7"; expected a number'],
    [{ hookSpecificOutput: {} }, '"hookSpecificOutput" has no "hookEventName"'],
    [{ hookSpecificOutput: { hookEventName: 'Stop' } }, '"hookEventName" is "Stop", the event is PreToolUse'],
    [
      specific('PreToolUse', { permissionDecision: 'maybe' }),
      '"hookSpecificOutput.permissionDecision" is "maybe"; expected allow, deny, ask, defer',
    ],
    [
      specific('PreToolUse', { updatedInput: [] }),
      '"hookSpecificOutput.updatedInput" is []; expected an object',
    ],
    [{ permissionDecision: 'deny' }, '"permissionDecision" is outside "hookSpecificOutput"'],
    [
      { permissionDecision: 'deny', updatedInput: {} },
      '"permissionDecision" is outside "hookSpecificOutput"; "updatedInput" is outside "hookSpecificOutput"',
    ],
    [
      specific('PreToolUse', { retry: true }),
      '"retry" means nothing on PreToolUse. Known: permissionDecision, permissionDecisionReason, updatedInput, additionalContext.',
    ],
  ])('the unreadable answer %j is reported as %j', (document, why) => {
    expect(detail('PreToolUse', document)).toBe(why);
  });

  test('an unreadable answer to a permission request, with a list of paths, or to an MCP server is reported', () => {
    const permission = '{ "behavior": "allow" } or { "behavior": "deny" }';
    const asked = (decision: object) =>
      detail('PermissionRequest', specific('PermissionRequest', { decision }));
    expect([
      asked({ behavior: 'later' }),
      asked({ behavior: 'deny', message: 7 }),
      asked({ behavior: 'deny', interrupt: 1 }),
      asked({ behavior: 'allow', updatedInput: 7 }),
      asked({ behavior: 'allow', updatedPermissions: 'x' }),
      asked({ behavior: 'allow', updatedPermissions: [] }),
    ]).toEqual([
      `"hookSpecificOutput.decision" is {"behavior":"later"}; expected ${permission}`,
      `"hookSpecificOutput.decision" is {"behavior":"deny","message":7}; expected ${permission}`,
      `"hookSpecificOutput.decision" is {"behavior":"deny","interrupt":1}; expected ${permission}`,
      `"hookSpecificOutput.decision" is {"behavior":"allow","updatedInput":7}; expected ${permission}`,
      `"hookSpecificOutput.decision" is {"behavior":"allow","updatedPermissions":"x"}; expected ${permission}`,
      undefined,
    ]);
    const watched = (watchPaths: unknown) => detail('CwdChanged', specific('CwdChanged', { watchPaths }));
    expect([watched('x'), watched(['x', 7]), watched(['x'])]).toEqual([
      '"hookSpecificOutput.watchPaths" is "x"; expected a list of strings',
      '"hookSpecificOutput.watchPaths" is ["x",7]; expected a list of strings',
      undefined,
    ]);
    expect(read('Elicitation', exited(0, specific('Elicitation', { action: 'cancel' }))).effects).toEqual([
      deny('answered with "cancel"'),
      set('body', 'action', 'cancel'),
    ]);
  });

  test('an unreadable return value of a function is reported', () => {
    const returned = (value: unknown) => read('PreToolUse', { kind: 'returned', value, args: [] });
    expect([returned(7), returned(null), returned(undefined)]).toEqual([
      { effects: [], failed: { kind: 'unreadable', detail: '7 is not an answer; expected an object' } },
      { effects: [] },
      { effects: [] },
    ]);
  });

  test('a field of another event is ignored, and the rest counts', () => {
    const said = specific('PreToolUse', {
      retry: true,
      additionalContext: 'know',
      permissionDecision: 'allow',
    });
    expect(read('PreToolUse', exited(0, said)).effects).toEqual([context('know')]);
  });
});

describe('exit codes', () => {
  test('an exit code that is not an answer is a failure with the code and the first line of stderr', () => {
    expect([
      read('PreToolUse', exited(1)),
      read('PreToolUse', exited(1, ' ', `\n ${'e'.repeat(600)}\nmore`)).failed?.detail,
      read('Notification', exited(2, '', ' ')),
    ]).toEqual([
      { effects: [], failed: { kind: 'failed', detail: 'exit 1' } },
      `exit 1: ${'e'.repeat(500)}`,
      { effects: [], failed: { kind: 'failed', detail: 'exit 2 does nothing on Notification' } },
    ]);
  });

  test('an aborted hook can only refuse', () => {
    const broken = (stdout: object): Reply => ({
      kind: 'broken',
      why: { kind: 'killed' },
      stdout: JSON.stringify(stdout),
    });
    expect([
      read('PreToolUse', broken(specific('PreToolUse', { permissionDecision: 'deny' }))),
      read('PreToolUse', broken(specific('PreToolUse', { permissionDecision: 'allow' }))),
    ]).toEqual([
      { effects: [deny()], failed: { kind: 'killed' } },
      { effects: [], failed: { kind: 'killed' } },
    ]);
  });

  test('exit 2 keeps other effects except approvals and changes, and a printed refusal also counts', () => {
    const said = specific(
      'PreToolUse',
      { updatedInput: { command: 'x' } },
      { decision: 'approve', systemMessage: 'm' },
    );
    expect([
      read('PreToolUse', exited(2, said)).effects,
      read('PreToolUse', exited(2, { continue: false, stopReason: 's', reason: 'r' })).effects,
      read('PreToolUse', exited(2, 'log\n{"continue":false,"stopReason":"s"}', 'no')).effects,
      read('PreToolUse', exited(2, 'log', 'no')).effects,
      read('PreToolUse', exited(2, specific('PreToolUse', { permissionDecision: 'deny' }), 'no')).effects,
    ]).toEqual([
      [deny(NO_REASON), notice('m')],
      [deny('r'), halt('s')],
      [deny('no'), halt('s')],
      [deny('no')],
      [deny('no')],
    ]);
  });
});

describe('text with an answer in it', () => {
  const inLine = 'log {"decision":"block"}';
  const doubt = 'text that looks like an answer is in the middle of other text';

  test('text with an answer in it is context with a mark on a few events, and otherwise unreadable', () => {
    expect([
      read('UserPromptSubmit', exited(0, inLine)),
      read('PreToolUse', exited(0, inLine)),
      read('UserPromptSubmit', exited(0, 'log\n{"continue":true}')),
      read('PreToolUse', exited(0, 'log\n{"continue":true}')),
      read('PreToolUse', exited(0, 'log\n{"decision":"block","reason":"no"}')),
    ]).toEqual([
      { effects: [context(inLine)], notes: { doubt }, printed: inLine },
      { effects: [], failed: { kind: 'unreadable', detail: doubt }, printed: inLine },
      { effects: [context('log\n{"continue":true}')], printed: 'log\n{"continue":true}' },
      { effects: [], printed: 'log\n{"continue":true}' },
      {
        effects: [deny('no')],
        failed: { kind: 'unreadable', detail: 'text before the JSON: print only the answer' },
        printed: 'log\n{"decision":"block","reason":"no"}',
      },
    ]);
  });

  test.each(['decision', 'continue', 'hookSpecificOutput', 'permissionDecision'])(
    'an answer in text is recognised by %j',
    (word) => {
      expect(detailOf(`log {"${word}":1}`)).toBe(doubt);
    },
  );
  const detailOf = (text: string) => read('PreToolUse', exited(0, text)).failed?.detail;
});

describe('a background hook', () => {
  const late = { type: 'command', command: 'x', async: true };
  const waking = { ...late, asyncRewake: true };

  test('a background hook fails with any exit code but 0 and 2, and its earlier output counts', () => {
    const said = { systemMessage: 'm' };
    const broke = { kind: 'failed', detail: 'exit 3: bug' };
    expect([
      read('PostToolUse', exited(0, said), late),
      read('PostToolUse', exited(2, said), late),
      read('PostToolUse', exited(3, said, 'bug'), late),
      read('PostToolUse', exited(3, 'hello', 'bug'), late),
      read('PostToolUse', exited(0, '{"systemMessage":'), late).failed?.kind,
    ]).toEqual([
      { effects: [context('m')], printed: '{"systemMessage":"m"}' },
      { effects: [context('m')], printed: '{"systemMessage":"m"}' },
      { effects: [context('m')], failed: broke, printed: '{"systemMessage":"m"}\nbug' },
      { effects: [], failed: broke, printed: 'hello\nbug' },
      'unreadable',
    ]);
  });

  test('a background hook wakes the agent with stderr, else with stdout, and not at all without output', () => {
    expect([
      read('PostToolUse', exited(2, 'out', ' err '), waking).effects,
      read('PostToolUse', exited(2, ' out ', ' '), waking).effects,
      read('PostToolUse', exited(2, ' ', ' '), waking).effects,
    ]).toEqual([[context('err'), resume('err')], [context('out'), resume('out')], []]);
  });

  test('a hook that declares itself async is awaited if the rest of its output is in doubt', () => {
    const async = '{"async":true}\n';
    const kinds = (rest: string) => {
      const { effects, failed } = read('UserPromptSubmit', exited(0, async + rest));
      return [effects, failed?.kind];
    };
    expect([
      kinds('{"systemMessage":"m"}'),
      kinds('log {"decision":"block"}'),
      kinds('{"decision":'),
      kinds('{"decision":"block","reason":"no"}'),
    ]).toEqual([
      [[context('m')], undefined],
      [[], 'unreadable'],
      [[], 'unreadable'],
      [[deny('no')], 'unreadable'],
    ]);
  });
});

describe('an HTTP answer', () => {
  const http = { type: 'http', url: 'https://example.com/' };
  const answered = (body: string, status = 200): Reply => ({ kind: 'answered', status, body });

  test('an HTTP answer is read by its status, and its effects are kept', () => {
    expect([
      read('PreToolUse', answered('{"decision":"block"}', 299), http),
      read('PreToolUse', answered(' no ', 300), http),
      read('PreToolUse', answered(' ', 199), http),
      read('PreToolUse', answered(' '), http),
      read('PreToolUse', answered('hello'), http),
    ]).toEqual([
      { effects: [deny(NO_REASON)], printed: '{"decision":"block"}' },
      { effects: [], failed: { kind: 'failed', detail: 'status 300' }, printed: ' no ' },
      { effects: [], failed: { kind: 'failed', detail: 'status 199' } },
      { effects: [] },
      {
        effects: [],
        failed: { kind: 'unreadable', detail: 'the answer is not a JSON object' },
        printed: 'hello',
      },
    ]);
  });

  test('an HTTP answer about a worktree needs a path', () => {
    expect([
      read('WorktreeCreate', answered(' '), http).effects,
      read(
        'WorktreeCreate',
        answered(JSON.stringify(specific('WorktreeCreate', { worktreePath: '/w' }))),
        http,
      ).effects,
      read('WorktreeCreate', exited(0, '{"hookSpecificOutput":')).failed?.kind,
    ]).toEqual([[deny('the hook returned no path')], [set('body', 'worktreePath', '/w')], 'unreadable']);
  });
});

describe('a judge', () => {
  const prompt = { type: 'prompt', prompt: 'Is it fine?' };
  const judged = (body: string, word: ClaudeWord = 'PreToolUse', more: object = {}) =>
    read(word, { kind: 'answered', status: 200, body }, { ...prompt, ...more });
  const unreadable = (body: string) => judged(body).failed;

  test('a judge with an unreadable answer reports why', () => {
    expect(
      ['no', '[]', '{"ok":1}', '{"ok":true,"reason":7}', '{"ok":true,"impossible":7}'].map(unreadable),
    ).toEqual(
      [
        'the judge\'s answer is not JSON: expected a value, found "no" (line 1, column 1)',
        'the judge answered []',
        '"ok" is 1; expected true or false',
        '"reason" is not a string',
        '"impossible" is not true or false',
      ].map((text) => ({ kind: 'unreadable', detail: text })),
    );
  });

  test('a judge objects with or without a reason, and ends the turn if the event does', () => {
    expect([
      judged('{"ok":false,"reason":"r"}').effects,
      judged('{"ok":false}').effects,
      judged('{"ok":false,"reason":"r"}', 'PreToolUse', { continueOnBlock: true }).effects,
      judged('{"ok":false,"reason":"r"}', 'UserPromptSubmit').effects,
      judged('{"ok":false,"impossible":true}', 'UserPromptSubmit').effects,
      judged('{"ok":false,"impossible":true}', 'Stop').effects,
      judged('{"ok":false,"impossible":false}', 'Stop').effects,
    ]).toEqual([
      [deny('r'), halt('r')],
      [deny(NO_REASON), halt(NO_REASON)],
      [deny('r')],
      [deny('r')],
      [deny(NO_REASON)],
      [],
      [resume(NO_REASON)],
    ]);
  });
});

describe('fields of single events', () => {
  test('a refused permission ends the turn only if the answer requests it', () => {
    const asked = (decision: object) =>
      read('PermissionRequest', exited(0, specific('PermissionRequest', { decision }))).effects;
    expect([
      asked({ behavior: 'deny', message: 'no' }),
      asked({ behavior: 'deny', message: 'no', interrupt: false }),
      asked({ behavior: 'deny', message: 'no', interrupt: true }),
    ]).toEqual([[deny('no')], [deny('no')], [deny('no'), halt('no')]]);
  });

  test('continue: false uses its own reason, or that of the answer', () => {
    expect([
      read('UserPromptSubmit', exited(0, { continue: false, reason: 'r' })).effects,
      read('UserPromptSubmit', exited(0, { continue: false, stopReason: 's', reason: 'r' })).effects,
      read('PreCompact', exited(0, { continue: false })).effects,
    ]).toEqual([[halt('r')], [halt('s')], [cancel(NO_REASON)]]);
  });

  test('blank context is ignored, retry must be true, and the newer output field wins', () => {
    const after = (fields: object) => read('PostToolUse', exited(0, specific('PostToolUse', fields))).effects;
    expect([
      after({ additionalContext: ' \n' }),
      after({ additionalContext: ' c ' }),
      after({ updatedToolOutput: 'new', updatedMCPToolOutput: 'old' }),
      read('PermissionDenied', exited(0, specific('PermissionDenied', { retry: true }))).effects,
      read('PermissionDenied', exited(0, specific('PermissionDenied', { retry: false }))).effects,
    ]).toEqual([[], [context(' c ')], after({ updatedToolOutput: 'new' }), [retry()], []]);
    expect(after({ updatedToolOutput: 'new' })).not.toEqual([]);
  });

  test('a terminal notification becomes text if the event can show it', () => {
    const [ESC, BEL] = ['\u001B', '\u0007'];
    const told = (body: string, word: ClaudeWord = 'PreToolUse') =>
      read(word, exited(0, { terminalSequence: `${ESC}]${body}${BEL}` })).effects;
    expect([
      told('9;done; 4;5'),
      told('9;4;1;50'),
      told('9;12;x'),
      told('9; '),
      told('99;i=1:d=0;title;more'),
      told('777;notify;Title;Body;rest'),
      told('777;other;notify;x'),
      told('9;done', 'Notification'),
    ]).toEqual([
      [notice('done; 4;5')],
      [],
      [],
      [],
      [notice('title;more')],
      [notice('Title: Body;rest')],
      [notice('other: notify;x')],
      [],
    ]);
  });
});
