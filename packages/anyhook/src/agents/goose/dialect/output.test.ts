import { describe, expect, test } from 'vitest';
import { cancel, context, deny, type Effect, notice, resume } from '../../../events/effects.ts';
import type { EventName } from '../../../events/events.ts';
import type { Notes, Reply } from '../../../events/exchange.ts';
import { NO_REASON } from '../../../events/proceed.ts';
import { event, outcome, SAMPLES } from '../../../testing/index.ts';
import { hook } from './fixtures/seats.ts';
import { goose } from './index.ts';
import { BLOCKABLE, GOOSE_EVENTS, type GooseWord, eventOfGoose } from './names.ts';

const read = (word: GooseWord, reply: Reply) => {
  const name = eventOfGoose(word) as EventName;
  return goose.output.read(reply, event(name, SAMPLES[name] as never), hook(word));
};
const exited = (code: number, stdout = '', stderr = '', notes?: Notes): Reply => ({
  kind: 'exited',
  code,
  stdout,
  stderr,
  ...(notes && { notes }),
});
/** Returns the effects, and the kind of failure if there is one. */
const heard = (word: GooseWord, reply: Reply): [readonly Effect[], string?] => {
  const { effects, failed } = read(word, reply);
  return failed === undefined ? [effects] : [effects, failed.kind];
};
const said = (value: unknown) => exited(0, JSON.stringify(value));
const json = JSON.stringify;

describe('exit 0', () => {
  const rows: [string, GooseWord, string, [readonly Effect[], string?]][] = [
    ['nothing printed is no objection', 'PreToolUse', '', [[]]],
    ['blanks are nothing', 'PreToolUse', ' \n\n', [[]]],
    ['an empty object is no objection', 'PreToolUse', '{}', [[]]],
    ['text becomes context, trimmed', 'SessionStart', '  on branch main\n', [[context('on branch main')]]],
    ['text of several lines stays whole', 'SessionStart', 'a\nb\n', [[context('a\nb')]]],
    [
      'text that begins with a bracket is text',
      'SessionStart',
      '[note] be kind',
      [[context('[note] be kind')]],
    ],
    ['a bare JSON number is text', 'SessionStart', '42', [[context('42')]]],
    ['a bare JSON text is text', 'SessionStart', '"hi"', [[context('"hi"')]]],
    ['additionalContext is context', 'UserPromptSubmit', json({ additionalContext: 'x' }), [[context('x')]]],
    ['and so is the later spelling', 'UserPromptSubmit', json({ additional_context: 'x' }), [[context('x')]]],
    ['an empty context is none', 'UserPromptSubmit', json({ additionalContext: ' ' }), [[]]],
    ['Block, as the document writes it', 'PreToolUse', json({ decision: 'Block' }), [[deny(NO_REASON)]]],
    ['block, as the code reads it', 'PreToolUse', json({ decision: 'block', reason: 'no' }), [[deny('no')]]],
    ['BLOCK', 'PreToolUse', json({ decision: 'BLOCK' }), [[deny(NO_REASON)]]],
    ['deny is block', 'PreToolUse', json({ decision: 'deny', reason: ' why ' }), [[deny('why')]]],
    ['Allow is no objection, and no approval', 'PreToolUse', json({ decision: 'Allow' }), [[]]],
    [
      'approve is allow',
      'PreToolUse',
      json({ decision: 'approve', additionalContext: 'x' }),
      [[context('x')]],
    ],
    ['null is no decision', 'PreToolUse', json({ decision: null }), [[]]],
    [
      'decision, reason and context together',
      'PreToolUse',
      json({ decision: 'block', reason: 'r', additionalContext: 'c' }),
      [[deny('r'), context('c')]],
    ],
    [
      'keys that nobody knows are tolerated',
      'UserPromptSubmit',
      json({ additionalContext: 'x', sources: ['vault'], tier: 2, continue: true, systemMessage: 'm' }),
      [[context('x')]],
    ],
    [
      'a refusal in Claude Code’s words counts',
      'PreToolUse',
      json({ hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no' } }),
      [[deny('no')]],
    ],
    [
      'its approval does not',
      'PreToolUse',
      json({ hookSpecificOutput: { permissionDecision: 'allow' } }),
      [[]],
    ],
    ['a banner is for the person', 'SessionStart', json({ banner: 'hello' }), [[notice('hello')]]],
    ['a banner elsewhere is nothing', 'Stop', json({ banner: 'hello' }), [[]]],
  ];
  test.each(rows)('exit 0 with %s', (_, word, stdout, expected) => {
    expect(heard(word, exited(0, stdout))).toEqual(expected);
  });
});

describe('a decision that cannot be read', () => {
  const rows: [string, string, [readonly Effect[], string]][] = [
    ['an unknown word', json({ decision: 'Blokc', additionalContext: 'x' }), [[], 'unreadable']],
    ['the wrong type', json({ decision: true }), [[], 'unreadable']],
    ['a list', json({ decision: ['block'] }), [[], 'unreadable']],
    ['broken JSON', '{"decision": "block"', [[], 'unreadable']],
    ['a key twice', '{"decision":"allow","decision":"block"}', [[], 'unreadable']],
    ['JSON and then text', '{"decision":"allow"} done', [[], 'unreadable']],
    ['a torn decision below a log', 'checking\n{"decision": "blo', [[], 'unreadable']],
    ['an allow below a log', 'checking\n{"decision":"allow"}', [[], 'unreadable']],
    [
      'a block below a log still blocks',
      'checking\n{"decision":"block","reason":"no"}',
      [[deny('no')], undefined!],
    ],
    [
      'a context that is no text',
      json({ decision: 'block', additionalContext: 7 }),
      [[deny(NO_REASON)], 'unreadable'],
    ],
  ];
  test.each(rows)(
    'an unreadable decision is a failure and never context: %s',
    (_, stdout, [effects, failed]) => {
      const answer = read('PreToolUse', exited(0, stdout));
      expect([answer.effects, answer.failed?.kind]).toEqual([effects, failed]);
    },
  );

  test('output is recorded', () => {
    expect(read('PreToolUse', exited(0, '{"decision":"x"}')).printed).toBe('{"decision":"x"}');
  });
  test('output that is not UTF-8 is a failure, and a refusal in it counts', () => {
    const replaced = { replaced: true } as const;
    expect(heard('PreToolUse', exited(0, 'abc\uFFFD', '', replaced))).toEqual([[], 'unreadable']);
    const block = json({ decision: 'block', reason: 'a\uFFFD' });
    expect(heard('PreToolUse', exited(0, block, '', replaced))).toEqual([[deny('a\uFFFD')], 'unreadable']);
    expect(heard('PreToolUse', exited(0, 'fine', '\uFFFD', replaced))).toEqual([[context('fine')]]);
  });
  test('an answer truncated at the output limit is a failure', () => {
    const cut = { truncated: { stdout: 5 } };
    expect(heard('PreToolUse', exited(0, '{"additionalContext":"aaa', '', cut))).toEqual([[], 'unreadable']);
  });
});

describe('exit 2', () => {
  test('exit 2 blocks with trimmed stderr as the reason, and ignores stdout', () => {
    expect(heard('PreToolUse', exited(2, 'garbage {', ' no rm \n'))).toEqual([[deny('no rm')]]);
    expect(heard('UserPromptSubmit', exited(2, json({ decision: 'allow' }), 'no'))).toEqual([[deny('no')]]);
    expect(heard('PreToolUse', exited(2))).toEqual([[deny(NO_REASON)]]);
  });
  test('exit 2 makes an agent that wants to stop continue, and prevents a compaction', () => {
    expect(heard('Stop', exited(2, '', 'tests fail'))).toEqual([[resume('tests fail')]]);
    expect(heard('SubagentStop', exited(2, '', 'more'))).toEqual([[resume('more')]]);
    expect(heard('PreCompact', exited(2, '', 'not now'))).toEqual([[cancel('not now')]]);
  });
  test('exit 2 cuts the reason at 4096 bytes, between characters', () => {
    const [effects] = heard('PreToolUse', exited(2, '', 'ü'.repeat(4000)));
    const { reason = '' } = effects[0] as { reason?: string };
    expect([Buffer.byteLength(reason), new Set(reason)]).toEqual([4096, new Set('ü')]);
  });
  test.each(GOOSE_EVENTS.filter((word) => !BLOCKABLE.has(word)))('exit 2 fails open on %s', (word) => {
    expect(heard(word, exited(2, '', 'no'))).toEqual([[], 'failed']);
    const block = json({ decision: 'block', additionalContext: 'x' });
    expect(heard(word, exited(0, block))).toEqual([[context('x')], 'unreadable']);
  });
  test('the documented events that can be blocked match the list', () => {
    const eight = GOOSE_EVENTS.slice(0, 8);
    expect(eight.filter((word) => BLOCKABLE.has(word))).toEqual([
      'UserPromptSubmit',
      'PreToolUse',
      'PreCompact',
      'Stop',
    ]);
  });
});

describe('any other exit code', () => {
  test.each([1, 3, 126, 127, 255])('exit %i is a failure, and its output is not context', (code) => {
    expect(heard('UserPromptSubmit', exited(code, 'some text', 'oops'))).toEqual([[], 'failed']);
    expect(heard('PreToolUse', exited(code, json({ decision: 'allow', additionalContext: 'x' })))).toEqual([
      [],
      'failed',
    ]);
  });
  test('a refusal counts for every exit code', () => {
    expect(heard('PreToolUse', exited(1, json({ decision: 'block', reason: 'r' })))).toEqual([[deny('r')]]);
  });
});

describe('context', () => {
  test('context is cut at 32,768 bytes between characters, from text and from JSON', () => {
    for (const reply of [exited(0, 'ü'.repeat(40_000)), said({ additionalContext: 'ü'.repeat(40_000) })]) {
      const [effects] = heard('SessionStart', reply);
      const { text } = effects[0] as { text: string };
      expect([Buffer.byteLength(text), new Set(text)]).toEqual([32_768, new Set('ü')]);
    }
  });
});

describe('the answer of an MCP tool', () => {
  const answered = (body: string): Reply => ({ kind: 'answered', status: 200, body });
  test('the answer of an MCP tool is read like stdout', () => {
    expect(heard('SessionStart', answered(' remembered \n'))).toEqual([[context('remembered')]]);
    expect(heard('PreToolUse', answered(json({ decision: 'block', reason: 'r' })))).toEqual([[deny('r')]]);
    expect(heard('PreToolUse', answered(''))).toEqual([[]]);
    expect(heard('PreToolUse', answered(json({ decision: 'perhaps' })))).toEqual([[], 'unreadable']);
  });
});

describe('for a Goose agent', () => {
  const write = (name: EventName, over: object) => {
    const about = event(name, SAMPLES[name] as never);
    return goose.output.write(outcome(about, over), about);
  };
  test('a refusal is written as exit 2 with the reason on stderr, and the decision that its parsers accept', () => {
    const deniedBy = { verdict: 'deny', reasons: [{ by: 'h', text: 'no' }] };
    expect(write('tool.before', deniedBy)).toEqual(
      exited(2, json({ decision: 'block', reason: 'no' }), 'no'),
    );
    expect(write('turn.stop', { flow: { resume: 'go on' } })).toEqual(
      exited(2, json({ decision: 'block', reason: 'go on' }), 'go on'),
    );
  });
  test('a refusal due to a failure is marked, and omits the command and its path', () => {
    const runs = [
      { hook: '/h/x.sh', round: 1, ms: 1, answer: { effects: [], failed: { kind: 'timed-out' } } },
    ];
    const reasons = [{ by: '/h/x.sh', text: 'hook in hooks.json:3 failed (timed-out)', broken: true }];
    const reply = write('tool.before', { verdict: 'deny', reasons, runs });
    expect(reply).toMatchObject({
      code: 2,
      stderr: 'a hook failed (timed-out), and its failure policy blocks the call',
    });
  });
  test('an empty outcome prints nothing', () => {
    expect(write('tool.before', {})).toEqual(exited(0));
  });
  test('context is JSON joined in order, on PreToolUse with the decision that current Goose requires', () => {
    const told = [
      { by: 'a', to: 'model', text: 'one' },
      { by: 'b', to: 'model', text: 'two' },
    ];
    expect(write('session.start', { said: told })).toEqual(said({ additionalContext: 'one\ntwo' }));
    expect(write('tool.before', { said: told })).toEqual(
      said({ decision: 'allow', additionalContext: 'one\ntwo' }),
    );
  });
  test('a notice at the start of a session is written as its banner', () => {
    expect(write('session.start', { said: [{ by: 'a', to: 'person', text: 'hi' }] })).toEqual(
      said({ banner: 'hi' }),
    );
  });
});
