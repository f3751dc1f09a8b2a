import { describe, expect, test } from 'vitest';
import { checkSuite } from './check.ts';

const source = { file: 'a.test.yaml', lineOf: (path: readonly (string | number)[]) => path.length + 1 };
const one = { event: 'tool.before', tool: 'shell', expect: 'deny' };
const faultsOf = (value: unknown) =>
  checkSuite(value, source).faults.map(({ key, message }) => `${key}: ${message}`);

describe('a file of cases', () => {
  test('is read whole: what is asked, of whom, and what is expected', () => {
    expect(
      checkSuite({ command: './guard.sh', as: 'goose', hosts: ['goose', 'opta'], cases: [one] }, source),
    ).toEqual({
      faults: [],
      suite: {
        file: 'a.test.yaml',
        subject: { kind: 'command', line: './guard.sh', as: ['goose'] },
        hosts: ['goose', 'opta'],
        cases: [
          {
            name: 'tool.before 1',
            line: 3,
            event: 'tool.before',
            payload: { tool: 'shell', input: {} },
            expect: { verdict: 'deny', hosts: {} },
          },
        ],
      },
    });
  });

  const WRONG: readonly (readonly [string, unknown, string])[] = [
    ['is no object', 7, ': is no object with cases'],
    ['has no cases', { cases: [] }, 'cases: is missing or empty'],
    ['misspells a key', { casse: [], cases: [one] }, 'casse: is no key here; did you mean cases?'],
    ['is about two things', { hook: 'a.ts', command: 'b', cases: [one] }, 'not both'],
    [
      'says whose words nobody speaks',
      { as: 'goose', cases: [one] },
      'as: says whose words a command speaks',
    ],
    ['names an agent that does not exist', { hosts: ['clod'], cases: [one] }, '"clod" is no dialect'],
    ['expects what is no verdict', { cases: [{ ...one, expect: 'no' }] }, '"no" is no verdict'],
    ['expects nothing', { cases: [{ event: 'tool.before', tool: 'shell' }] }, 'can never fail'],
    [
      'names an event that does not exist',
      { cases: [{ ...one, event: 'tool.befor' }] },
      'did you mean tool.before?',
    ],
    ['calls no tool', { cases: [{ event: 'tool.before', expect: 'deny' }] }, 'which tool is called?'],
    ['gives a tool to another event', { cases: [{ ...one, event: 'turn.stop' }] }, 'belongs to tool events'],
    ['has a case that is none', { cases: [null] }, 'cases.0: is no object'],
    [
      'expects of an agent what it cannot be',
      { cases: [{ ...one, expect: { verdict: 'deny', hosts: { goose: 'perhaps' } } }] },
      '"perhaps" is no verdict; known are allow, ask, defer, deny, none, unheard',
    ],
    [
      'expects a reason that is no text',
      { cases: [{ ...one, expect: { verdict: 'deny', reason: 1 } }] },
      'is no text',
    ],
  ];
  test.each(WRONG)('that %s is not run: it would be green for nothing', (_, value, message) => {
    expect(faultsOf(value).join('\n')).toContain(message);
  });
});
