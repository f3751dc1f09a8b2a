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
    ['is not an object', 7, ': is not an object with cases'],
    ['has no cases', { cases: [] }, 'cases: is missing or empty'],
    ['misspells a key', { casse: [], cases: [one] }, 'casse: unknown key; did you mean cases?'],
    ['tests two things', { hook: 'a.ts', command: 'b', cases: [one] }, 'not both'],
    [
      'names a dialect without a command',
      { as: 'goose', cases: [one] },
      'as: names the dialect of a command',
    ],
    ['names an agent that does not exist', { hosts: ['clod'], cases: [one] }, 'unknown dialect "clod"'],
    ['expects an unknown verdict', { cases: [{ ...one, expect: 'no' }] }, 'unknown verdict "no"'],
    ['expects nothing', { cases: [{ event: 'tool.before', tool: 'shell' }] }, 'can never fail'],
    [
      'names an event that does not exist',
      { cases: [{ ...one, event: 'tool.befor' }] },
      'did you mean tool.before?',
    ],
    [
      'names no tool for a tool event',
      { cases: [{ event: 'tool.before', expect: 'deny' }] },
      'which tool is called?',
    ],
    ['gives a tool to another event', { cases: [{ ...one, event: 'turn.stop' }] }, 'needs a tool event'],
    ['has a case that is not an object', { cases: [null] }, 'cases.0: is not an object'],
    [
      'expects an unknown verdict of an agent',
      { cases: [{ ...one, expect: { verdict: 'deny', hosts: { goose: 'perhaps' } } }] },
      'unknown verdict "perhaps"; known: allow, ask, defer, deny, none, unheard',
    ],
    [
      'expects a reason that is not a string',
      { cases: [{ ...one, expect: { verdict: 'deny', reason: 1 } }] },
      'is not a string',
    ],
  ];
  test.each(WRONG)('a file of test cases that %s is rejected', (_, value, message) => {
    expect(faultsOf(value).join('\n')).toContain(message);
  });
});
