import { expect, test } from 'vitest';
import { copyPlain } from './copy.ts';

test('copies plain objects and lists deeply', () => {
  const value = { a: [1, { b: 'c' }], d: null, e: undefined };
  const copy = copyPlain(value);
  expect(copy).toStrictEqual(value);
  expect(copy).not.toBe(value);
  expect(copy.a[1]).not.toBe(value.a[1]);
});

test('keeps functions and class instances, where structuredClone would throw', () => {
  const value = { run: () => 1, at: new Date(0), seen: new Map([[1, 2]]) };
  expect(() => structuredClone(value)).toThrow();
  const copy = copyPlain(value);
  expect([copy.run, copy.at, copy.seen]).toEqual([value.run, value.at, value.seen]);
  expect(copy.at).toBe(value.at);
});

test('a cycle stays a cycle within the copy', () => {
  const value: { self?: unknown; list: unknown[] } = { list: [] };
  value.self = value;
  value.list.push(value.list);
  const copy = copyPlain(value);
  expect(copy.self).toBe(copy);
  expect(copy.list[0]).toBe(copy.list);
});

test('a key called __proto__ stays a key', () => {
  const copy = copyPlain(JSON.parse('{"__proto__":{"decision":"allow"}}') as Record<string, unknown>);
  expect(Object.keys(copy)).toEqual(['__proto__']);
  expect(copy['decision']).toBeUndefined();
});

test('an object without a prototype keeps none', () => {
  const value = Object.assign(Object.create(null) as object, { a: 1 });
  expect(Object.getPrototypeOf(copyPlain(value))).toBe(null);
});

test('copies a shared value only once, even with exponentially many references', () => {
  let value: unknown = { leaf: true };
  for (let depth = 0; depth < 60; depth++) value = [value, value];
  const [one, other] = copyPlain(value) as unknown[];
  expect(one).toBe(other);
});

test('copies only own string keys, not inherited ones or symbols', () => {
  const inherited = { value: { shared: true }, enumerable: true, configurable: true };
  Object.defineProperty(Object.prototype, 'inherited', inherited);
  const copy = copyPlain({ a: 1, [Symbol('b')]: {} });
  Reflect.deleteProperty(Object.prototype, 'inherited');
  expect(Reflect.ownKeys(copy)).toEqual(['a']);
});
