import { describe, expect, test } from 'vitest';
import { ruling } from '../testing/outcome.ts';
import type { FlowKind, Verdict } from './effects.ts';
import { EVENT_NAMES, type EventName } from './events.ts';
import { type Outcome, outcomeOf, type Ruling } from './outcome.ts';
import { NO_REASON, type Proceed, stoppedBy, UNANSWERED } from './proceed.ts';

const decided = (name: EventName, parts: Partial<Ruling> = {}): [Proceed, string] => {
  const { proceed, reason } = outcomeOf(ruling(parts), name);
  return [proceed, reason];
};
const because = (...texts: string[]) => texts.map((text, i) => ({ by: `h${i}`, text }));

describe('which effects stop what an event announces', () => {
  test('lists the stopping effects of every event', () => {
    const stopped = EVENT_NAMES.map((name) => [name, stoppedBy(name).join(' ')] as const);
    expect(Object.fromEntries(stopped.filter(([, by]) => by !== ''))).toEqual({
      'session.start': 'halt',
      'session.switching': 'cancel',
      'session.branching': 'cancel',
      'session.navigating': 'cancel',
      'prompt.submit': 'deny ask halt',
      'command.before': 'deny ask',
      'turn.stop': 'resume',
      'model.request': 'deny',
      'model.response': 'halt',
      'tool.before': 'ask defer deny halt',
      'tool.permission': 'ask defer deny halt',
      'tool.after': 'halt',
      'tool.failed': 'halt',
      'subagent.start': 'deny',
      'subagent.stop': 'resume',
      'config.loaded': 'deny',
      'compaction.before': 'cancel',
      other: 'ask defer deny halt cancel resume',
    });
  });

  test('every effect that stops an event does so alone', () => {
    for (const name of EVENT_NAMES)
      for (const kind of stoppedBy(name)) {
        const isTurn = ['halt', 'cancel', 'resume', 'retry'].includes(kind);
        const parts = isTurn
          ? { flow: { [kind as FlowKind]: 'because' } }
          : { verdict: kind as Verdict, reasons: because('because') };
        expect([name, kind, ...decided(name, parts)]).toEqual([
          name,
          kind,
          kind === 'ask' ? 'ask' : 'no',
          'because',
        ]);
      }
  });

  test('without effects everything proceeds, except an event that asks the user anyway', () => {
    expect(EVENT_NAMES.filter((name) => UNANSWERED[name] !== 'yes')).toEqual(['tool.permission']);
    expect(EVENT_NAMES.filter((name) => decided(name)[0] !== 'yes')).toEqual(['tool.permission']);
    expect(decided('tool.permission')).toEqual(['ask', '']);
    expect(decided('tool.permission', { verdict: 'allow' })).toEqual(['yes', '']);
  });
});

describe('may it proceed', () => {
  test.each<[string, EventName, Partial<Ruling>, [Proceed, string]]>([
    ['an approval', 'tool.before', { verdict: 'allow', reasons: because('fine') }, ['yes', 'fine']],
    ['two reasons', 'tool.before', { verdict: 'deny', reasons: because('a', '', 'b', 'a') }, ['no', 'a\nb']],
    ['a refusal without a word', 'tool.before', { verdict: 'deny' }, ['no', NO_REASON]],
    [
      'a question without a word',
      'tool.before',
      { verdict: 'ask' },
      ['ask', 'a hook wants the user to decide, and gave no reason'],
    ],
    [
      'a halt beside an approval',
      'tool.before',
      { verdict: 'allow', reasons: because('fine'), flow: { halt: 'stop' } },
      ['no', 'stop'],
    ],
    [
      'a halt beside a question',
      'tool.before',
      { verdict: 'ask', reasons: because('sure?'), flow: { halt: 'stop' } },
      ['no', 'stop'],
    ],
    [
      'a halt that explains a refusal',
      'tool.before',
      { verdict: 'deny', flow: { halt: 'stop' } },
      ['no', 'stop'],
    ],
    ['a retry', 'tool.denied', { flow: { retry: 'again' } }, ['yes', '']],
    ['a stop', 'turn.stop', {}, ['yes', '']],
    ['a stop that goes on', 'turn.stop', { flow: { resume: 'run the tests' } }, ['no', 'run the tests']],
    [
      'a stop that goes on without a word',
      'turn.stop',
      { flow: { resume: '' } },
      ['no', 'a hook wants you to continue, and gave no reason'],
    ],
    ['a stop that is meant', 'turn.stop', { flow: { halt: 'enough' } }, ['yes', '']],
    [
      'a stop that is meant, against who would go on',
      'turn.stop',
      { flow: { resume: 'more', halt: 'enough' } },
      ['yes', ''],
    ],
    ['an interrupted switch', 'session.switching', { aborted: true }, ['no', 'aborted']],
    ['an interrupted stop', 'turn.stop', { aborted: true }, ['yes', '']],
    ['an interrupted notification', 'notification.sent', { aborted: true }, ['yes', '']],
  ])('%s', (_, name, parts, expected) => {
    expect(decided(name, parts)).toEqual(expected);
  });
});

describe('an outcome', () => {
  const full = outcomeOf(
    ruling({
      payload: { tool: 'shell', input: {} },
      said: [
        { by: 'a', to: 'model', text: 'one' },
        { by: 'b', to: 'person', text: 'two' },
        { by: 'c', to: 'model', text: 'three' },
      ],
      given: [
        { by: 'a', what: 'title', value: 'first' },
        { by: 'b', what: 'title', value: 'last' },
      ],
    }),
    'tool.before',
  );

  test('has its texts and gifts ready to use, even when destructured', () => {
    const { forModel, forPerson, gift } = full;
    expect([forModel, forPerson, gift('title'), gift('message')]).toEqual([
      ['one', 'three'],
      ['two'],
      'last',
      undefined,
    ]);
  });

  test('is returned unchanged by outcomeOf, and survives JSON and structuredClone except for `gift`', () => {
    expect(outcomeOf(full, 'tool.before')).toBe(full);
    expect(JSON.parse(JSON.stringify(full))).toEqual({ ...full });
    expect(structuredClone(full)).toEqual({ ...full });
  });

  test('a modified copy is not an outcome until it is decided again', () => {
    const copy = { ...full, verdict: 'deny' as const };
    // @ts-expect-error: `gift` is missing, because `proceed` is still that of the original
    const stale: Outcome = copy;
    expect([stale.proceed, outcomeOf(copy, 'tool.before').proceed]).toEqual(['yes', 'no']);
  });
});

test('a refusal without a reason gets a default text', () => {
  expect(NO_REASON).toBe('blocked by a hook that gave no reason');
});
