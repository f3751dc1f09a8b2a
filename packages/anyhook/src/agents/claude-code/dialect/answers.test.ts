/** What an answer of Claude Code's comes to as a whole: with the reason why it cannot be read, marks, what was printed. */
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

describe('an answer that cannot be read says why', () => {
  test.each<[document: object, why: string]>([
    [{ continue: 'no' }, '"continue" is "no", true or false is expected'],
    [{ stopReason: 7 }, '"stopReason" is 7, a text is expected'],
    [{ decision: 'maybe' }, '"decision" is "maybe", approve, block is expected'],
    [{ hookSpecificOutput: 'x' }, '"hookSpecificOutput" is "x", an object is expected'],
    [{ async: false, asyncTimeout: '7' }, '"asyncTimeout" is "7", a number is expected'],
    [{ hookSpecificOutput: {} }, '"hookSpecificOutput" has no "hookEventName"'],
    [{ hookSpecificOutput: { hookEventName: 'Stop' } }, '"hookEventName" is "Stop", the event is PreToolUse'],
    [
      specific('PreToolUse', { permissionDecision: 'maybe' }),
      '"hookSpecificOutput.permissionDecision" is "maybe", allow, deny, ask, defer is expected',
    ],
    [
      specific('PreToolUse', { updatedInput: [] }),
      '"hookSpecificOutput.updatedInput" is [], an object is expected',
    ],
    [{ permissionDecision: 'deny' }, '"permissionDecision" stands outside "hookSpecificOutput"'],
    [
      { permissionDecision: 'deny', updatedInput: {} },
      '"permissionDecision" stands outside "hookSpecificOutput"; "updatedInput" stands outside "hookSpecificOutput"',
    ],
    [
      specific('PreToolUse', { retry: true }),
      '"retry" means nothing on PreToolUse. Known: permissionDecision, permissionDecisionReason, updatedInput, additionalContext.',
    ],
  ])('%j: %j', (document, why) => {
    expect(detail('PreToolUse', document)).toBe(why);
  });

  test('about a question of permission, a list of paths, and an answer to a server', () => {
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
      `"hookSpecificOutput.decision" is {"behavior":"later"}, ${permission} is expected`,
      `"hookSpecificOutput.decision" is {"behavior":"deny","message":7}, ${permission} is expected`,
      `"hookSpecificOutput.decision" is {"behavior":"deny","interrupt":1}, ${permission} is expected`,
      `"hookSpecificOutput.decision" is {"behavior":"allow","updatedInput":7}, ${permission} is expected`,
      `"hookSpecificOutput.decision" is {"behavior":"allow","updatedPermissions":"x"}, ${permission} is expected`,
      undefined,
    ]);
    const watched = (watchPaths: unknown) => detail('CwdChanged', specific('CwdChanged', { watchPaths }));
    expect([watched('x'), watched(['x', 7]), watched(['x'])]).toEqual([
      '"hookSpecificOutput.watchPaths" is "x", a list of texts is expected',
      '"hookSpecificOutput.watchPaths" is ["x",7], a list of texts is expected',
      undefined,
    ]);
    expect(read('Elicitation', exited(0, specific('Elicitation', { action: 'cancel' }))).effects).toEqual([
      deny('answered with "cancel"'),
      set('body', 'action', 'cancel'),
    ]);
  });

  test('when a function returns it', () => {
    const returned = (value: unknown) => read('PreToolUse', { kind: 'returned', value, args: [] });
    expect([returned(7), returned(null), returned(undefined)]).toEqual([
      { effects: [], failed: { kind: 'unreadable', detail: '7 is no answer: an object is expected' } },
      { effects: [] },
      { effects: [] },
    ]);
  });

  test('a known word of another event is left out, all else counts', () => {
    const said = specific('PreToolUse', {
      retry: true,
      additionalContext: 'know',
      permissionDecision: 'allow',
    });
    expect(read('PreToolUse', exited(0, said)).effects).toEqual([context('know')]);
  });
});

describe('how a hook ends', () => {
  test('an exit that is no answer is a failure with its code and the first line of stderr', () => {
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

  test('one that was broken off can refuse, and nothing else', () => {
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

  test('exit 2 keeps what else is said, but no approval and no change; text that refuses counts beside it', () => {
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

  test('is context on a few events, with a mark; elsewhere unreadable', () => {
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
        failed: { kind: 'unreadable', detail: 'text stands before the JSON: print the answer alone' },
        printed: 'log\n{"decision":"block","reason":"no"}',
      },
    ]);
  });

  test.each(['decision', 'continue', 'hookSpecificOutput', 'permissionDecision'])(
    'is known by %j',
    (word) => {
      expect(detailOf(`log {"${word}":1}`)).toBe(doubt);
    },
  );
  const detailOf = (text: string) => read('PreToolUse', exited(0, text)).failed?.detail;
});

describe('a hook that nobody waits for', () => {
  const late = { type: 'command', command: 'x', async: true };
  const waking = { ...late, asyncRewake: true };

  test('has failed by any exit but 0 and 2, and says what it said before', () => {
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

  test('wakes the agent with stderr, else with stdout, and with nothing not at all', () => {
    expect([
      read('PostToolUse', exited(2, 'out', ' err '), waking).effects,
      read('PostToolUse', exited(2, ' out ', ' '), waking).effects,
      read('PostToolUse', exited(2, ' ', ' '), waking).effects,
    ]).toEqual([[context('err'), resume('err')], [context('out'), resume('out')], []]);
  });

  test('that says so itself is waited for where what follows is in doubt', () => {
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

describe('an answer from an address', () => {
  const http = { type: 'http', url: 'https://example.com/' };
  const answered = (body: string, status = 200): Reply => ({ kind: 'answered', status, body });

  test('is read by its status, and what it says is kept', () => {
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
        failed: { kind: 'unreadable', detail: 'the answer is no JSON object' },
        printed: 'hello',
      },
    ]);
  });

  test('about a worktree wants a path', () => {
    expect([
      read('WorktreeCreate', answered(' '), http).effects,
      read(
        'WorktreeCreate',
        answered(JSON.stringify(specific('WorktreeCreate', { worktreePath: '/w' }))),
        http,
      ).effects,
      read('WorktreeCreate', exited(0, '{"hookSpecificOutput":')).failed?.kind,
    ]).toEqual([[deny('the hook said no path')], [set('body', 'worktreePath', '/w')], 'unreadable']);
  });
});

describe('a judge', () => {
  const prompt = { type: 'prompt', prompt: 'Is it fine?' };
  const judged = (body: string, word: ClaudeWord = 'PreToolUse', more: object = {}) =>
    read(word, { kind: 'answered', status: 200, body }, { ...prompt, ...more });
  const unreadable = (body: string) => judged(body).failed;

  test('that cannot be understood says why', () => {
    expect(
      ['no', '[]', '{"ok":1}', '{"ok":true,"reason":7}', '{"ok":true,"impossible":7}'].map(unreadable),
    ).toEqual(
      [
        'the judge\'s answer is no JSON: expected a value, found "no" (line 1, column 1)',
        'the judge answered []',
        '"ok" is 1, true or false is expected',
        '"reason" is no text',
        '"impossible" is neither true nor false',
      ].map((text) => ({ kind: 'unreadable', detail: text })),
    );
  });

  test('objects with its reason or without, and ends the turn where the event says so', () => {
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
  test('a refused permission ends the turn only when it says so', () => {
    const asked = (decision: object) =>
      read('PermissionRequest', exited(0, specific('PermissionRequest', { decision }))).effects;
    expect([
      asked({ behavior: 'deny', message: 'no' }),
      asked({ behavior: 'deny', message: 'no', interrupt: false }),
      asked({ behavior: 'deny', message: 'no', interrupt: true }),
    ]).toEqual([[deny('no')], [deny('no')], [deny('no'), halt('no')]]);
  });

  test('continue: false has a reason of its own, or the one of the answer', () => {
    expect([
      read('UserPromptSubmit', exited(0, { continue: false, reason: 'r' })).effects,
      read('UserPromptSubmit', exited(0, { continue: false, stopReason: 's', reason: 'r' })).effects,
      read('PreCompact', exited(0, { continue: false })).effects,
    ]).toEqual([[halt('r')], [halt('s')], [cancel(NO_REASON)]]);
  });

  test('blank context is none, a retry is one only when it is true, output is replaced by the newer word', () => {
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

  test('a notification for the terminal is told in words, where the event has somebody to tell', () => {
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
