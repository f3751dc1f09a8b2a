import { describe, expect, test } from 'vitest';
import { isRepeated } from './repeated.ts';

const again = (was: unknown, became: unknown, shown: unknown, wanted: unknown): boolean =>
  isRepeated({ shown: was, wanted: became }, { shown, wanted });

describe('a wish is only a repetition when', () => {
  test.each([
    ['it wants what is there', 'x', 'y', 'y', 'y'],
    ['the same text goes in front once more', 'x', 'time x', 'nice time x', 'time nice time x'],
    ['the same text goes behind once more', 'x', 'x -v', 'x -v | cat', 'x -v | cat -v'],
    ['the same text goes around once more', 'x', '(x)', 'y (x)', '(y (x))'],
    ['the old text occurs in what is added', 'a', 'a a', 'b a a', 'b a a a'],
    ['there was nothing before', '', 'hello', 'hello!', 'hello!hello'],
    ['the same elements are pushed', [1], [1, 2], [1, 2, 3], [1, 2, 3, 2]],
    ['the same elements are unshifted', [1], [0, 1], [9, 0, 1], [0, 9, 0, 1]],
    [
      'what is pushed bears a new id',
      [],
      [{ id: 'a', t: 1 }],
      [{ id: 'a', t: 1 }, 5],
      [{ id: 'a', t: 1 }, 5, { id: 'b', t: 1 }],
    ],
    [
      'every key is a repetition',
      { a: 'x', b: 1 },
      { a: '>x', b: 2 },
      { a: '>>x', b: 2 },
      { a: '>>>x', b: 2 },
    ],
    ['an element is prefixed once more', [{ t: 'x' }], [{ t: '>x' }], [{ t: '->x' }, 1], [{ t: '>->x' }, 1]],
  ])('%s', (_title, was, became, shown, wanted) => {
    expect(again(was, became, shown, wanted)).toBe(true);
  });
});

describe('a wish is new when', () => {
  test.each([
    ['it takes text away', 'A', '*', '* A', '* *'],
    ['it takes the addition of another away', 'x', 'y', 'nice y', 'y'],
    ['it adds at another place', 'rm a', '# rm a', '# rm a; rm b', '# rm a; # rm b'],
    ['it adds something else', 'x', 'time x', 'nice time x', 'sudo nice time x'],
    ['what it added is gone', 'x', 'x --dry-run', 'y', 'y --dry-run'],
    ['of what it added a half is gone', 'x', '(x)', '(y', '((y)'],
    ['it added nothing before', 'x', 'x', 'y x', 'z y x'],
    ['a key that it set was set by another', { a: 1 }, { a: 2 }, { a: 3 }, { a: 2 }],
    ['a key that it added was taken away', {}, { a: 1 }, {}, { a: 1 }],
    ['it wants a key away', { a: 1 }, { a: 1 }, { a: 1, b: 1 }, { a: 1 }],
    ['a number grows', 1, 2, 2, 3],
    ['another element is pushed', [1], [1, 2], [1, 2, 3], [1, 2, 3, 4]],
    ['an element is taken out', [1, 2], [1], [1, 3, 2], [1, 3]],
    ['it wants another kind of value', 'x', ['x'], 'y', ['y']],
    [
      'one of two keys is',
      { a: 'x', b: 'A' },
      { a: '>x', b: '*' },
      { a: '>x', b: '* A' },
      { a: '>>x', b: '* *' },
    ],
  ])('%s', (_title, was, became, shown, wanted) => {
    expect(again(was, became, shown, wanted)).toBe(false);
  });
});
