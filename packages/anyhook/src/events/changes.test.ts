import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apply, collide, diff, isPlain, same } from './changes.ts';
import type { Change } from './effects.ts';

const numRuns = Number(process.env['RUNS'] ?? 2_000);
const key = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', 'a', 'b', ''), fc.string());
const plain = fc.dictionary(key, fc.jsonValue(), { noNullPrototype: true });
const value = fc.oneof(plain, fc.jsonValue(), fc.constant(undefined), fc.date(), fc.func(fc.nat()));

describe('a difference', () => {
  test('a difference applied to the old value gives the new one', () => {
    fc.assert(
      fc.property(value, value, (before, after) => {
        const payload = { tool: 't', input: before };
        const wanted = { tool: 't', input: after };
        expect(same(apply(payload, diff('input', before, after)), wanted)).toBe(true);
      }),
      { numRuns },
    );
  });

  test('a difference is empty only if the values are equal', () => {
    fc.assert(
      fc.property(value, value, (before, after) => {
        expect(diff('input', before, after).length === 0).toBe(same(before, after));
      }),
      { numRuns },
    );
  });

  test('diff and apply do not modify their arguments', () => {
    fc.assert(
      fc.property(plain, plain, (before, after) => {
        const [was, wanted] = [structuredClone(before), structuredClone(after)];
        const payload = Object.freeze({ input: Object.freeze(before) });
        apply(payload, diff('input', before, after));
        expect([same(before, was), same(after, wanted)]).toEqual([true, true]);
      }),
      { numRuns },
    );
  });

  test('compares plain objects by key and other values as a whole', () => {
    expect(diff('input', { a: 1, b: 2, c: 3 }, { a: 1, b: 9, d: 4 })).toEqual([
      { kind: 'set', at: ['input', 'b'], to: 9 },
      { kind: 'set', at: ['input', 'c'] },
      { kind: 'set', at: ['input', 'd'], to: 4 },
    ]);
    expect(diff('content', ['a'], ['b'])).toEqual([{ kind: 'set', at: ['content'], to: ['b'] }]);
    expect(diff('x', { a: 1 }, null)).toEqual([{ kind: 'set', at: ['x'], to: null }]);
    expect(diff('x', { a: 1 }, { a: undefined })).toEqual([{ kind: 'set', at: ['x', 'a'], to: undefined }]);
  });
});

describe('a key called __proto__', () => {
  const odd = (text: string) => JSON.parse(text) as Record<string, unknown>;

  test('treats __proto__ as an ordinary key', () => {
    const [before, after] = [odd('{"a": 1}'), odd('{"a": 1, "__proto__": {"polluted": true}}')];
    const changes = diff('input', before, after);
    expect(changes).toEqual([{ kind: 'set', at: ['input', '__proto__'], to: { polluted: true } }]);
    const { input } = apply({ input: before }, changes) as { input: Record<string, unknown> };
    expect([Object.keys(input), input['polluted'], Object.getPrototypeOf(input)]).toEqual([
      ['a', '__proto__'],
      undefined,
      Object.prototype,
    ]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('removes a key called __proto__', () => {
    const [before, after] = [odd('{"__proto__": 1}'), odd('{}')];
    expect(Object.keys(apply({ input: before }, diff('input', before, after)).input)).toEqual([]);
  });

  test('changes no prototype if a field is called __proto__', () => {
    const changed = apply({ a: 1 }, [{ kind: 'set', at: ['__proto__', 'polluted'], to: true }]);
    expect([Object.getPrototypeOf(changed), ({} as { polluted?: boolean }).polluted]).toEqual([
      Object.prototype,
      undefined,
    ]);
  });
});

describe('changes that collide', () => {
  const set = (...at: readonly [string, string?]): Change => ({ kind: 'set', at, to: 1 });
  const other = (...at: readonly [string, string?]): Change => ({ kind: 'set', at, to: 2 });
  const table: [string, Change, Change, boolean][] = [
    ['one key, two values', set('input', 'a'), other('input', 'a'), true],
    ['one key, one value', set('input', 'a'), set('input', 'a'), false],
    ['two keys', set('input', 'a'), other('input', 'b'), false],
    ['a key and the whole field', set('input', 'a'), other('input'), true],
    ['two fields', set('input', 'a'), other('output', 'a'), false],
    ['put and taken away', set('input', 'a'), { kind: 'set', at: ['input', 'a'] }, true],
  ];
  test.each(table)('%s', (_title, a, b, expected) => {
    expect([collide(a, b), collide(b, a)]).toEqual([expected, expected]);
  });

  test('changes that do not collide give the same result in either order', () => {
    const change = fc.record({ at: fc.tuple(fc.constantFrom('f', 'g'), key), to: fc.jsonValue() });
    fc.assert(
      fc.property(plain, plain, change, change, (f, g, one, two) => {
        const [a, b]: Change[] = [
          { kind: 'set', ...one },
          { kind: 'set', ...two },
        ];
        fc.pre(!collide(a!, b!));
        expect(same(apply({ f, g }, [a!, b!]), apply({ f, g }, [b!, a!]))).toBe(true);
      }),
      { numRuns },
    );
  });
});

test('removing a key from a value without keys changes nothing', () => {
  for (const value of [{}, { f: 'text' }])
    expect(apply(value, [{ kind: 'set', at: ['f', 'a'] }])).toEqual(value);
});

test.each([
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [new Date(), false],
  [new (class {})(), false],
  [null, false],
  ['', false],
])('%j counts as a plain object: %s', (one, expected) => {
  expect(isPlain(one)).toBe(expected);
});
