import { expect, test } from 'vitest';
import { writeBack } from './isolate-plugins.ts';

test('remote changes are applied in place to existing objects', () => {
  const args = { list: [1, { a: 1 }], gone: true, kept: 'k', nothing: undefined };
  const home = { args, title: 'old' };
  const held = args.list[1];
  writeBack(home, { args: { list: [1, { a: 2 }, 3], kept: 'k', made: {} }, title: null });
  expect(home).toEqual({
    args: { list: [1, { a: 2 }, 3], kept: 'k', nothing: undefined, made: {} },
    title: null,
  });
  expect([home.args === args, args.list[1] === held]).toEqual([true, true]);
  writeBack(home, { args: { list: [] }, title: '' });
  expect(home).toEqual({ args: { list: [], nothing: undefined }, title: '' });
});

test('a key named __proto__ is an ordinary key', () => {
  const home = {};
  writeBack(home, JSON.parse('{"__proto__": {"polluted": true}}'));
  expect([Object.keys(home), 'polluted' in home]).toEqual([['__proto__'], false]);
});
