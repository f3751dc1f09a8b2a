import { describe, expect, test } from 'vitest';
import {
  anyText,
  checkShape,
  filledText,
  flag,
  listOf,
  mapOf,
  object,
  oneOf,
  type Shape,
  text,
  textOrList,
  whole,
} from './checker.ts';
import { readDocument } from './document.ts';
import { show } from './problems.ts';

const HOOK = object({
  run: textOrList(text, filledText(listOf(text))),
  timeoutMs: whole(1, 600_000),
  roles: filledText(listOf(oneOf(['guard', 'mutator', 'observer']))),
  shadow: flag,
  env: mapOf(anyText),
});

const checked = <T>(source: string, shape: Shape<T>) => {
  const { value, problems, sound } = checkShape(readDocument(source, 'f'), [], shape);
  return { value, sound, problems: problems.map(show) };
};

describe('a shape', () => {
  test('a shape returns a valid value and reports nothing', () => {
    const source =
      '{"run": ["a", "b"], "timeoutMs": 5, "roles": ["guard"], "shadow": true, "env": {"A": ""}}';
    expect(checked(source, HOOK)).toEqual({ value: JSON.parse(source), sound: true, problems: [] });
  });

  test.each([
    [
      '{"timeuotMs": 5}',
      'f:1:2: timeuotMs: unknown key "timeuotMs". Did you mean "timeoutMs"? [unknown-key]',
    ],
    ['{"x": 5}', 'f:1:2: x: unknown key "x". Known: run, timeoutMs, roles, shadow, env. [unknown-key]'],
    ['{"shadow": "yes"}', 'f:1:12: shadow: expected true or false, got a string ("yes"). [wrong-type]'],
    ['{"shadow": null}', 'f:1:12: shadow: expected true or false, got null. [wrong-type]'],
    ['{"run": 5}', 'f:1:9: run: expected a string or a list of strings, got a number (5). [wrong-type]'],
    ['{"run": " "}', 'f:1:9: run: is empty. [bad-value]'],
    ['{"run": "a\\u0000b"}', 'f:1:9: run: contains a NUL character. [bad-value]'],
    ['{"run": []}', 'f:1:9: run: is an empty list. Name at least one, or remove the key. [empty-list]'],
    ['{"run": ["a",\n 1]}', 'f:2:2: run[1]: expected a string, got a number (1). [wrong-type]'],
    ['{"roles": ["Guard"]}', 'f:1:12: roles[0]: is "Guard". Did you mean "guard"? [bad-value]'],
    ['{"env": {"A": 1}}', 'f:1:15: env.A: expected a string, got a number (1). [wrong-type]'],
    ['{"env": []}', 'f:1:9: env: expected an object, got a list ([]). [wrong-type]'],
    ...['0', '-1', '1.5', '1e400', '600001', '2147483648'].map((n) => [
      `{"timeoutMs": ${n}}`,
      `f:1:15: timeoutMs: is ${Number(n)}. Write a whole number from 1 to 600000. [bad-value]`,
    ]),
    ['{"timeoutMs": "5"}', 'f:1:15: timeoutMs: expected a number, got a string ("5"). [wrong-type]'],
    ['[]', 'f:1:1: expected an object, got a list ([]). [wrong-type]'],
  ])('reports the problem in %s with its position and remedy', (source, problem) => {
    expect(checked(source!, HOOK)).toMatchObject({ sound: false, problems: [problem] });
  });

  test('reports all problems and returns the valid fields of an object', () => {
    expect(checked('{"run": 1, "shadow": 1, "timeoutMs": 7}', HOOK)).toEqual({
      value: { timeoutMs: 7 },
      sound: false,
      problems: [expect.stringContaining('run:'), expect.stringContaining('shadow:')],
    });
  });

  test('does not accept an inherited name as a known key', () => {
    expect(checked('{"toString": 1, "__proto__": {"shadow": true}}', HOOK)).toMatchObject({
      value: {},
      problems: [expect.stringContaining('"toString"'), expect.stringContaining('"__proto__"')],
    });
  });

  test('can report unknown keys as warnings', () => {
    expect(checked('{"x": 1}', object({}, 'warning'))).toMatchObject({
      sound: true,
      problems: [expect.stringContaining('unknown key')],
    });
  });

  test('quotes a key that contains dots', () => {
    const { problems } = checkShape(
      readDocument('{"tool.before": [{"a": 1}]}', 'f'),
      ['tool.before', 0, 'a'],
      flag,
    );
    expect(problems.map(({ key, column }) => ({ key, column }))).toEqual([
      { key: '["tool.before"][0].a', column: 24 },
    ]);
  });
});
