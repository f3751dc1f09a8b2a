import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EVENT_NAMES } from './events.ts';
import { nearest, type Problem, show } from './problems.ts';

describe('the nearest name', () => {
  const table: [string, string | undefined][] = [
    ['tool.befor', 'tool.before'],
    ['tool.ebfore', 'tool.before'],
    ['Tool.Before', 'tool.before'],
    ['toolbefore', 'tool.before'],
    ['sesion.start', 'session.start'],
    ['tool.brefore', 'tool.before'],
    ['promt.submit', 'prompt.submit'],
    ['quite.something.else', undefined],
    ['x', undefined],
    ['', undefined],
  ];
  test.each(table)('the nearest word to %j is %j', (word, expected) => {
    expect(nearest(word, EVENT_NAMES)).toBe(expected);
  });

  test('the nearest word to a known word is the word itself', () => {
    for (const name of EVENT_NAMES) expect(nearest(name, EVENT_NAMES)).toBe(name);
  });

  test('the nearest word corrects one typo: a missing, extra, wrong or swapped letter', () => {
    const slip = fc.record({
      name: fc.constantFrom(...EVENT_NAMES.filter((name) => name.length > 8)),
      at: fc.nat(),
      kind: fc.constantFrom('drop', 'double', 'wrong', 'swap'),
    });
    fc.assert(
      fc.property(slip, ({ name, at, kind }) => {
        const i = at % (name.length - 1);
        const [head, a, b, tail] = [name.slice(0, i), name[i]!, name[i + 1]!, name.slice(i + 2)];
        const word = head + { drop: b, double: a + a + b, wrong: `~${b}`, swap: b + a }[kind]! + tail;
        expect(EVENT_NAMES).toContain(nearest(word, [name]));
      }),
      { numRuns: 500 },
    );
  });

  test('there is no nearest word in an empty list', () => {
    expect(nearest('tool.before', [])).toBeUndefined();
  });
});

test('shows a problem with position, key, message, remedy and code', () => {
  const problem: Problem = {
    code: 'unknown-event',
    file: '/p/hooks.json',
    line: 3,
    column: 5,
    key: 'hooks[0].on',
    message: 'unknown event "tool.befor".',
    remedy: 'Did you mean "tool.before"?',
    severity: 'error',
  };
  expect(show(problem)).toBe(
    '/p/hooks.json:3:5: hooks[0].on: unknown event "tool.befor". Did you mean "tool.before"? [unknown-event]',
  );
  expect(show({ code: 'syntax', file: 'f', message: 'no JSON', severity: 'error' })).toBe(
    'f: no JSON [syntax]',
  );
});
