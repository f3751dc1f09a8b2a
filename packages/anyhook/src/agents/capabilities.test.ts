import { expect, test } from 'vitest';
import { EVENT_NAMES, rowOf } from '../events/events.ts';
import { rowsOf } from './capabilities.ts';
import { AGENT_NAMES, agentOf, AGENTS } from './index.ts';
import type { Agent } from './shared/agent.ts';
import { CELLS } from './shared/cells.ts';

test.each(AGENT_NAMES)('%s claims only known events and effects', (agent) => {
  for (const [event, grades] of Object.entries(AGENTS[agent].can)) {
    expect(EVENT_NAMES).toContain(event);
    for (const kind of Object.keys(grades)) expect(rowOf(event as never).effects, event).toContain(kind);
  }
});

test.each(AGENT_NAMES)(
  '%s can refuse a tool call, and its record has tested versions with dates',
  (agent) => {
    const { can, seen } = AGENTS[agent];
    expect(can['tool.before']?.deny).toBe('full');
    for (const sighting of seen)
      expect(sighting).toEqual({
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
        on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      });
  },
);

test('a row describes every effect of its event', () => {
  const row = rowsOf(AGENTS.goose).find(({ event }) => event === 'tool.before');
  expect(row?.effects.map(({ kind, standing, from }) => [kind, standing, from])).toEqual([
    ['allow', 'lost', 'documents'],
    ['ask', 'as deny', 'documents'],
    ['defer', 'as deny', 'documents'],
    ['deny', 'full', 'seen'],
    ['set', 'as deny', 'seen'],
    ['context', 'lost', 'seen'],
    ['notice', 'lost', 'documents'],
    ['halt', 'as deny', 'documents'],
  ]);
  expect(agentOf('nobody')).toBeUndefined();
});

test('a cell that no run can show is not marked as observed', () => {
  const seenWith = (unseen: Agent['unseen']) =>
    rowsOf({ ...AGENTS['oh-my-pi'], unseen })
      .find(({ event }) => event === 'prompt.submit')!
      .effects.flatMap(({ kind, from }) => (from === 'seen' ? kind : []));
  expect([seenWith({}), seenWith({ 'prompt.submit deny': 'nobody has looked' })]).toEqual([
    ['deny', 'context'],
    ['context'],
  ]);
});

test.each(CELLS)('%s is an event with an effect that applies to it', (cell) => {
  const [event, kind] = cell.split(' ');
  expect(rowOf(event as never).effects).toContain(kind);
});
