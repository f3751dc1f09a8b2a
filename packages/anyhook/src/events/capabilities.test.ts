import { expect, test } from 'vitest';
import { EVERYTHING, onlyRefusals } from './capabilities.ts';
import { EVENT_NAMES, rowOf } from './events.ts';

test('EVERYTHING contains every effect of every event with the grade full', () => {
  expect(EVERYTHING).toEqual(
    Object.fromEntries(
      EVENT_NAMES.map((name) => [
        name,
        Object.fromEntries(rowOf(name).effects.map((kind) => [kind, 'full'])),
      ]),
    ),
  );
});

test('EVERYTHING is deeply frozen', () => {
  expect([Object.isFrozen(EVERYTHING), Object.values(EVERYTHING).every(Object.isFrozen)]).toEqual([
    true,
    true,
  ]);
});

test('onlyRefusals keeps only the refusals of a host', () => {
  expect(
    onlyRefusals({
      'tool.before': { deny: 'full', ask: 'full', allow: 'full', set: 'full', context: 'full' },
      'turn.stop': { resume: 'full', halt: 'full' },
      'session.end': {},
    }),
  ).toEqual({ 'tool.before': { deny: 'full' }, 'turn.stop': { resume: 'full' }, 'session.end': {} });
});
