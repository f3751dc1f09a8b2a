import { expect, test } from 'vitest';
import { EVENT_NAMES, rowOf } from '../canon/events.ts';
import { AGENT_NAMES, CELLS, rowsOf, type Sheet, SHEETS, sheetOf } from './capabilities.ts';

test.each(AGENT_NAMES)('%s claims only events and effects that are in the canon', (agent) => {
  const sheet: Sheet = SHEETS[agent];
  for (const [event, grades] of Object.entries(sheet.can)) {
    expect(EVENT_NAMES).toContain(event);
    for (const kind of Object.keys(grades)) expect(rowOf(event as never).effects, event).toContain(kind);
  }
});

test.each(AGENT_NAMES)('%s can refuse a tool call, and its version and date are said', (agent) => {
  const sheet: Sheet = SHEETS[agent];
  expect([sheet.can['tool.before']?.deny, sheet.version, sheet.measured]).toEqual([
    'full',
    expect.stringMatching(/^\d+\.\d+\.\d+$/),
    expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  ]);
});

test('a row says of every effect of its event what becomes of it', () => {
  const row = rowsOf(SHEETS.goose).find(({ event }) => event === 'tool.before');
  expect(row?.effects.map(({ kind, standing, from }) => [kind, standing, from])).toEqual([
    ['allow', 'lost', 'documents'],
    ['ask', 'as deny', 'documents'],
    ['defer', 'as deny', 'documents'],
    ['deny', 'full', 'seen'],
    ['set', 'lost', 'seen'],
    ['context', 'lost', 'seen'],
    ['notice', 'lost', 'documents'],
    ['halt', 'lost', 'documents'],
  ]);
  expect(sheetOf('nobody')).toBeUndefined();
});

test('what no run can show is not said to have been seen', () => {
  const row = rowsOf(SHEETS['oh-my-pi']).find(({ event }) => event === 'prompt.submit');
  expect(row?.effects.filter(({ from }) => from === 'seen')).toEqual([]);
});

test.each(CELLS)('%s is an event and an effect that counts there', (cell) => {
  const [event, kind] = cell.split(' ');
  expect(rowOf(event as never).effects).toContain(kind);
});
