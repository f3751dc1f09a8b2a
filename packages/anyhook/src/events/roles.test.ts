import { expect, test } from 'vitest';
import { EVENT_NAMES, type EventName, rowOf } from './events.ts';
import { decides, onlyWatches, refusalOn, rolesOn } from './roles.ts';

test.each<[EventName, string[]]>([
  ['tool.before', ['guard', 'mutator']],
  ['turn.stop', ['guard']],
  ['model.context', ['mutator']],
  ['session.end', ['observer']],
  ['session.switching', ['guard']],
  ['tool.denied', ['guard']],
])('a hook on %s has the default roles %j', (name, roles) => {
  expect(rolesOn(name)).toEqual(roles);
});

test.each<[EventName, string | null]>([
  ['tool.before', 'deny'],
  ['session.switching', 'cancel'],
  ['tool.after', 'halt'],
  ['session.end', null],
])('%s is refused by %s', (name, kind) => {
  expect([refusalOn(name), decides(name)]).toEqual([kind, kind === 'deny']);
});

test('the effect that refuses an event counts on it', () => {
  for (const name of EVENT_NAMES) {
    const kind = refusalOn(name);
    if (kind !== null) expect(rowOf(name).effects).toContain(kind);
  }
});

test('a hook only watches if it is neither guard nor mutator', () => {
  expect([
    onlyWatches(['observer']),
    onlyWatches([]),
    onlyWatches(['guard']),
    onlyWatches(['observer', 'mutator']),
  ]).toEqual([true, true, false, false]);
});
