import { describe, expect, test } from 'vitest';
import { show } from '../../../events/problems.ts';
import { readCallbackHooks } from './read-hooks.ts';

const fn = () => ({});

test('a callback, a matcher, a list of matchers and a list of callbacks are accepted', () => {
  const { entries, problems } = readCallbackHooks({
    Stop: fn,
    PreToolUse: { matcher: 'Bash', hooks: [fn], timeout: 1.5, onFailure: 'continue' },
    PostToolUse: [{ hooks: [fn, fn] }, fn],
    PreCompact: undefined,
  });
  expect(problems).toEqual([]);
  expect(entries).toEqual([
    { event: 'Stop', matcher: null, callbacks: [fn], key: 'Stop[0]' },
    {
      event: 'PreToolUse',
      matcher: 'Bash',
      callbacks: [fn],
      key: 'PreToolUse[0]',
      timeoutMs: 1500,
      onFailure: 'allow',
    },
    { event: 'PostToolUse', matcher: null, callbacks: [fn, fn], key: 'PostToolUse[0]' },
    { event: 'PostToolUse', matcher: null, callbacks: [fn], key: 'PostToolUse[1]' },
  ]);
});

describe('invalid hooks', () => {
  test.each<[string, unknown, string, number]>([
    [
      'an unknown event',
      { PreToolUze: fn, Stop: fn },
      '(program): PreToolUze: unknown event "PreToolUze". Did you mean "PreToolUse"? [unknown-event]',
      1,
    ],
    [
      'no object',
      [fn],
      '(program): hooks: is [null]. Write an object that maps events to a callback or matchers. [wrong-type]',
      0,
    ],
    [
      'a value that is neither',
      { Stop: 7 },
      '(program): Stop[0]: is 7. Write a function, or { matcher?, hooks: [function] }. [wrong-type]',
      0,
    ],
    ['an empty list', { Stop: [] }, '(program): Stop: is an empty list. Add a callback. [empty-list]', 0],
    [
      'no callbacks',
      { Stop: { hooks: [] } },
      '(program): Stop[0].hooks: is an empty list. Add a callback. [empty-list]',
      0,
    ],
    [
      'callbacks that are no list',
      { Stop: { hooks: fn } },
      '(program): Stop[0].hooks: is () => ({}). Write a list of functions. [wrong-type]',
      0,
    ],
    [
      'one that is no function',
      { Stop: { hooks: ['x', fn] } },
      '(program): Stop[0].hooks[0]: is "x". Write a function; the others are registered. [wrong-type]',
      1,
    ],
    [
      'a misspelt key',
      { Stop: { hooks: [fn], onFailur: 'block' } },
      '(program): Stop[0].onFailur: unknown key "onFailur". Did you mean "onFailure"? [unknown-key]',
      1,
    ],
    [
      'a timeout that is none',
      { Stop: { hooks: [fn], timeout: -1 } },
      '(program): Stop[0].timeout: is -1. Write seconds; until then the default is used. [bad-value]',
      1,
    ],
    [
      'a matcher that is none',
      { Stop: { hooks: [fn], matcher: 7 } },
      '(program): Stop[0].matcher: is 7. Write a string; until then the hook matches everything. [bad-matcher]',
      1,
    ],
    [
      'a policy that is none',
      { Stop: { hooks: [fn], onFailure: 'blok' } },
      '(program): Stop[0].onFailure: is "blok". Did you mean "block"? Until then a failure blocks. [bad-value]',
      1,
    ],
  ])(
    'an invalid hook is reported with its location, and the rest loads: %s',
    (_title, hooks, said, loaded) => {
      const { entries, problems } = readCallbackHooks(hooks);
      expect([problems.map(show), entries.length]).toEqual([[said], loaded]);
    },
  );

  test('an unknown policy is read as the strictest one', () => {
    expect(readCallbackHooks({ Stop: { hooks: [fn], onFailure: 'blok' } }).entries[0]!.onFailure).toBe(
      'block',
    );
  });
});
