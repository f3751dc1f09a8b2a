import { describe, expect, test } from 'vitest';
import {
  allow,
  ask,
  cancel,
  context,
  defer,
  deny,
  EFFECT_KINDS,
  give,
  halt,
  notice,
  REFUSALS,
  resume,
  retry,
  set,
  STRICTNESS,
} from './effects.ts';

describe('constructors', () => {
  test.each(Object.entries({ allow, ask, cancel, defer, deny, halt, resume, retry }))(
    '%s takes an optional reason',
    (kind, make) => {
      expect([make(), make('why'), make('')]).toStrictEqual([
        { kind },
        { kind, reason: 'why' },
        { kind, reason: '' },
      ]);
    },
  );

  test('context and notice have a text, give has a name and a value', () => {
    expect([context('c'), notice('n'), give('title', 't')]).toEqual([
      { kind: 'context', text: 'c' },
      { kind: 'notice', text: 'n' },
      { kind: 'give', what: 'title', value: 't' },
    ]);
  });

  test('set changes a field or one key of it; a key set to undefined is not a field', () => {
    expect([
      set('prompt', 'p'),
      set('input', 'command', 'ls'),
      set('input', 'command', undefined),
    ]).toStrictEqual([
      { kind: 'set', at: ['prompt'], to: 'p' },
      { kind: 'set', at: ['input', 'command'], to: 'ls' },
      { kind: 'set', at: ['input', 'command'], to: undefined },
    ]);
  });

  test('there is a constructor for every kind of effect', () => {
    const made = [
      allow(),
      ask(),
      cancel(),
      defer(),
      deny(),
      halt(),
      resume(),
      retry(),
      context(''),
      notice(''),
      give('title', ''),
      set('title', 't'),
    ];
    expect(made.map(({ kind }) => kind).toSorted()).toEqual(EFFECT_KINDS.toSorted());
  });
});

test('deny is stricter than defer, defer than ask, ask than none, none than allow', () => {
  const order = (['deny', 'allow', 'none', 'defer', 'ask'] as const).toSorted(
    (a, b) => STRICTNESS[b] - STRICTNESS[a],
  );
  expect(order).toEqual(['deny', 'defer', 'ask', 'none', 'allow']);
});

test('REFUSALS contains the effects that stop an action, but not allow and resume', () => {
  expect([...REFUSALS].toSorted()).toEqual(['ask', 'cancel', 'defer', 'deny', 'halt']);
});
