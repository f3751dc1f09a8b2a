/** The exact message for each invalid answer, and the effects that still count. */

import { describe, expect, test } from 'vitest';
import { allow, ask, cancel, context, deny, halt, notice, resume, set } from '../../../events/effects.ts';
import type { Reply } from '../../../events/exchange.ts';
import { GIFTS } from '../../../events/gifts.ts';
import type { Hook, Way } from '../../../events/hook.ts';
import { event } from '../../../testing/event.ts';
import { readOwnAnswer, readOwnJudgement } from './read-answer.ts';
import { readReply } from './read-reply.ts';

const call = event('tool.before', { tool: 'shell', input: { command: 'ls' } });
const end = event('session.end', { reason: 'exit' });
const switching = event('session.switching', { reason: 'new' });
const why = (document: unknown, about = call) => readOwnAnswer(document, about as typeof call);
const no = (text: string) => ({ ok: false, why: text });
const yes = (...effects: object[]) => ({ ok: true, effects });

describe('an invalid answer', () => {
  test.each<[document: unknown, text: string]>([
    [[], '[] is not an answer; expected an object'],
    ['deny', '"deny" is not an answer; expected an object'],
    [{ set: [] }, '"set" is []; expected an object'],
    [{ input: 7 }, '"input" is 7; expected an object'],
    [{ input: {}, set: { input: {} } }, '"input" appears twice, once inside "set"'],
    [{ halt: 7 }, '"halt" is 7; expected true or a reason'],
    [{ effects: {} }, '"effects" is {}; expected a list'],
    [{ reason: 7 }, '"reason" is 7; expected a string'],
    [{ decision: 'deny', reason: 7 }, '"reason" is 7; expected a string'],
    [{ context: ['a', 7] }, '"context" is 7; expected a string'],
    [{ notice: 7 }, '"notice" is 7; expected a string'],
    [{ give: 'title' }, '"title" is not an answer; expected an object'],
    [{ give: { what: 7 } }, `"give" offers 7. Known: ${Object.keys(GIFTS).join(', ')}.`],
    [{ give: { what: ['title'] } }, '"give" offers ["title"]. Did you mean "title"?'],
    [{ give: { whta: 'title' } }, 'unknown key "whta". Did you mean "what"?'],
    [{ effects: [{ kind: 'set', at: [] }] }, 'set: "at" is []; expected [field] or [field, key]'],
    [
      { effects: [{ kind: 'set', at: ['input', 7] }] },
      'set: "at" is ["input",7]; expected [field] or [field, key]',
    ],
    [
      { effects: [{ kind: 'set', at: ['input', 'a', 'b'] }] },
      'set: "at" is ["input","a","b"]; expected [field] or [field, key]',
    ],
    [{ effects: [{ kind: 'set', at: 'i' }] }, 'set: "at" is "i"; expected [field] or [field, key]'],
  ])('the invalid answer %j gives the message %j', (document, text) => {
    expect(why(document)).toEqual(no(text));
  });

  test('a change is invalid on an event without changeable fields', () => {
    expect([why({ set: { reason: 'x' } }, end as never), why({ input: {} }, end as never)]).toEqual([
      no('session.end has no fields that can be changed'),
      no('session.end has no fields that can be changed'),
    ]);
  });

  test('an answer that throws while it is read is invalid, with the error as the reason', () => {
    const trap = (thrown: unknown) =>
      new Proxy(
        {},
        {
          ownKeys() {
            throw thrown;
          },
        },
      );
    expect([why(trap(new Error('trap'))), why(trap('trap'))]).toEqual([
      no('the answer cannot be read: trap'),
      no('the answer cannot be read'),
    ]);
  });
});

describe('an answer', () => {
  test('an answer may change arguments and other fields, and repeat a change', () => {
    expect([
      why({ input: { command: 'ls' }, set: {} }),
      why({ set: { input: { command: 'pwd' } } }),
      why({
        effects: [
          { kind: 'set', at: ['input'], to: 1 },
          { kind: 'give', what: 'title', value: 't' },
        ],
      }),
      why({ give: [{ what: 'title', value: 1 }] }),
    ]).toEqual([
      yes(),
      yes(set('input', 'command', 'pwd')),
      yes({ kind: 'set', at: ['input'], to: 1 }, { kind: 'give', what: 'title', value: 't' }),
      yes({ kind: 'give', what: 'title', value: 1 }),
    ]);
  });

  test('an answer has one reason: for the decision if there is one, otherwise for the turn', () => {
    expect([
      why({ decision: 'deny', reason: 'r', halt: true }),
      why({ halt: true, reason: 'r' }),
      why({ halt: 'own', cancel: true, reason: 'r' }),
      why({ halt: false }),
    ]).toEqual([yes(deny('r'), halt()), yes(halt('r')), yes(halt('own'), cancel('r')), yes()]);
  });

  test('effects of an answer lose undefined reasons and keep other undefined fields', () => {
    const read = why({
      effects: [
        { kind: 'deny', reason: undefined },
        { kind: 'set', at: ['input', 'a'], to: undefined },
      ],
    });
    expect(read.ok && read.effects.map((effect) => Object.keys(effect))).toEqual([
      ['kind'],
      ['kind', 'at', 'to'],
    ]);
  });

  test('an answer of a judge is a vote or an objection, and a plain one where nothing can be refused', () => {
    const judged = (document: unknown, about: typeof call = call) => readOwnJudgement(document, about);
    expect([
      judged({ ok: false }, end as never),
      judged({ ok: false, reason: 'r' }, switching as never),
      judged({ ok: false, reason: 7 }),
      judged({ ok: true, reason: 'r' }),
      judged([]),
    ]).toEqual([
      yes(deny()),
      yes(cancel('r')),
      no('"reason" is 7; expected a string'),
      yes(),
      no('[] is not an answer; expected an object'),
    ]);
  });
});

describe('a reply', () => {
  const hook = (kind: Way['kind'] = 'command') => ({ run: { kind } }) as Hook;
  const read = (reply: Reply, kind?: Way['kind'], about: typeof call = call) =>
    readReply(reply, about, hook(kind));
  const exited = (code: number, stdout: string, stderr = ''): Reply => ({
    kind: 'exited',
    code,
    stdout,
    stderr,
  });
  const answered = (body: string, status = 200): Reply => ({ kind: 'answered', status, body });
  const ALONE = 'print only the JSON, and logs to stderr';

  test('a reply that refuses twice gives one refusal, with the reason of the document or stderr', () => {
    const twice = (document: string, stderr = 'why') => read(exited(2, document, stderr)).effects;
    expect([
      twice('{"decision":"deny"}'),
      twice('{"decision":"deny","reason":"own"}'),
      twice('{"decision":"deny"}', ''),
      twice('{"decision":"deny","notice":"n","context":"c"}'),
      twice('{"decision":"ask"}'),
    ]).toEqual([
      [deny('why')],
      [deny('own')],
      [deny()],
      [deny('why'), context('c'), notice('n')],
      [deny('why'), ask()],
    ]);
  });

  test('a reply that refuses an unrefusable event is a failure, with its text if there is any', () => {
    const failed = (stderr: string) => read(exited(2, '{"halt":"h"}', stderr), 'command', end as never);
    expect([failed(' why '), failed('')]).toEqual([
      {
        effects: [halt('h')],
        failed: { kind: 'failed', detail: 'exit 2, but session.end cannot be refused: why' },
        printed: ' why ',
      },
      {
        effects: [halt('h')],
        failed: { kind: 'failed', detail: 'exit 2, but session.end cannot be refused' },
      },
    ]);
  });

  test('an answer among other text can only tighten, and the failure names the text', () => {
    const mixed = (...lines: string[]) => {
      const { effects, failed } = read(exited(0, `log\n${lines.join('\n')}`));
      return [effects, failed?.detail];
    };
    const among = `the output has text around the JSON answer: ${ALONE}`;
    expect([
      mixed('{"decision":"deny"}'),
      mixed('{"decision":"deny"}', '{"decision":7}'),
      mixed('{"decision":"deny"}', '{"notice":"n"}'),
      mixed('{"decision":"deny","effects":[{"kind":"allow"}]}'),
      mixed('{"decision":"deny","notice":"n"}'),
      mixed('{"decision":"deny"}', 'x {"decision":"deny"}'),
    ]).toEqual([
      [[deny()], undefined],
      [[deny()], among],
      [[deny()], among],
      [[deny()], among],
      [[deny()], undefined],
      [[deny()], `text that looks like an answer is in the middle of other text: ${ALONE}`],
    ]);
  });

  test('an answer in the middle of a line is recognised only by deciding keys', () => {
    const words = ['decision', 'halt', 'cancel', 'resume', 'retry', 'effects', 'notice', 'input'];
    const isDoubted = (word: string) => read(exited(0, `log {"${word}":1}`)).failed !== undefined;
    expect(words.map(isDoubted)).toEqual([true, true, true, true, true, true, false, false]);
  });

  test('an HTTP reply is read by its status, and recorded if it is unreadable', () => {
    const no500 = { kind: 'failed', detail: 'ended with 500: x' };
    expect([
      read(answered('{"decision":"allow"}', 299), 'http'),
      read(answered('{"decision":"allow"}', 200), 'http'),
      read(answered(' x ', 500), 'http'),
      read(answered('', 199), 'http'),
      read(answered('', 300), 'http'),
      read(answered('hello'), 'http'),
      read(answered('{"decision":7}'), 'http'),
    ]).toEqual([
      { effects: [allow()] },
      { effects: [allow()] },
      { effects: [], failed: no500, printed: ' x ' },
      { effects: [], failed: { kind: 'failed', detail: 'ended with 199' } },
      { effects: [], failed: { kind: 'failed', detail: 'ended with 300' } },
      { effects: [], printed: 'hello' },
      {
        effects: [],
        failed: { kind: 'unreadable', detail: '"decision" is 7. Known: allow, ask, defer, deny.' },
        printed: '{"decision":7}',
      },
    ]);
  });

  test('a failed reply is described by its output, cut at 500 characters, with both streams on the record', () => {
    expect([read(exited(1, 'out', 'e'.repeat(600))), read(exited(1, '', ' \n'))]).toEqual([
      {
        effects: [],
        failed: { kind: 'failed', detail: `ended with 1: ${'e'.repeat(500)}` },
        printed: `out\n${'e'.repeat(600)}`,
      },
      { effects: [], failed: { kind: 'failed', detail: 'ended with 1' } },
    ]);
  });

  test('an answer that halts at a stop uses the effect by which a stop is refused', () => {
    const stop = event('turn.stop', { active: false });
    expect(read(exited(2, '{"resume":"own"}', 'why'), 'command', stop as never).effects).toEqual([
      resume('own'),
    ]);
  });
});
