import { expect, test } from 'vitest';
import { EVERYTHING } from './capabilities.ts';
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
