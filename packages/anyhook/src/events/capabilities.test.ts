import { expect, test } from 'vitest';
import { EVERYTHING, onlyRefusals } from './capabilities.ts';
import { EVENT_NAMES, rowOf } from './events.ts';

test('everything is every effect of every event, in full', () => {
  expect(EVERYTHING).toEqual(
    Object.fromEntries(
      EVENT_NAMES.map((name) => [
        name,
        Object.fromEntries(rowOf(name).effects.map((kind) => [kind, 'full'])),
      ]),
    ),
  );
});

test('nobody can take anything away from it', () => {
  expect([Object.isFrozen(EVERYTHING), Object.values(EVERYTHING).every(Object.isFrozen)]).toEqual([
    true,
    true,
  ]);
});

test('of a host that nobody has seen only refusals are believed', () => {
  expect(
    onlyRefusals({
      'tool.before': { deny: 'full', ask: 'full', allow: 'full', set: 'full', context: 'full' },
      'turn.stop': { resume: 'full', halt: 'full' },
      'session.end': {},
    }),
  ).toEqual({ 'tool.before': { deny: 'full' }, 'turn.stop': { resume: 'full' }, 'session.end': {} });
});
