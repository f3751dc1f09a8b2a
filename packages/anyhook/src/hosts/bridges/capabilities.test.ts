import { expect, test } from 'vitest';
import { EVENT_NAMES, rowOf } from '../../canon/events.ts';
import { AGENT_NAMES, rowsOf, type Sheet, SHEETS, sheetOf } from './capabilities.ts';

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
  expect(row?.effects).toEqual([
    ['allow', 'lost'],
    ['ask', 'as deny'],
    ['defer', 'as deny'],
    ['deny', 'full'],
    ['set', 'lost'],
    ['context', 'lost'],
    ['notice', 'lost'],
    ['halt', 'lost'],
  ]);
  expect(sheetOf('nobody')).toBeUndefined();
});
