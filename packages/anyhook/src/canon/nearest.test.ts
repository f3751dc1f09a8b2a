import { describe, expect, test } from 'vitest';
import { type EventName, rowOf } from './events.ts';
import { NEAREST } from './nearest.ts';
import { faultsIn } from './validate.ts';

const SAMPLES: { readonly [E in EventName]?: Record<string, unknown> } = {
  'tool.before': { tool: 'shell', input: { command: 'ls' } },
  'tool.after': { tool: 'edit', input: { path: '/p/a.ts' }, content: [] },
  'prompt.submit': { prompt: 'p', parts: [] },
  'agent.end': { messages: [] },
};

describe.each(Object.keys(NEAREST) as EventName[])('%s', (name) => {
  const { at, as } = NEAREST[name]!;

  test('seen from the event that fires is a sound payload of its own', () => {
    expect(faultsIn(name, as(SAMPLES[at]!))).toEqual([]);
  });

  test('stands at another event, and the way on from there comes to an end', () => {
    const way: EventName[] = [name];
    for (let next: EventName | undefined = at; next !== undefined; next = NEAREST[next]?.at) {
      expect(way).not.toContain(next);
      way.push(next);
    }
  });

  // When the agent is idle it has stopped: what a hook wanted of the stop is lost there, and said.
  test.runIf(name !== 'turn.stop')('can be refused wherever it could be refused itself', () => {
    const refuses = (event: EventName) =>
      rowOf(event).effects.filter((kind) => ['deny', 'ask', 'halt', 'cancel'].includes(kind));
    expect(rowOf(at).effects).toEqual(expect.arrayContaining(refuses(name)));
  });
});

test.each([
  [{ tool: 'write', input: { path: 'a' } }, { file: 'a' }],
  [{ tool: 'multi-edit', input: { path: 'a' }, isError: false }, { file: 'a' }],
  [{ tool: 'write', input: { path: 'a' }, isError: true }, null],
  [{ tool: 'read', input: { path: 'a' } }, null],
  [{ tool: 'write', input: {} }, null],
  [{ tool: 'write' }, null],
])('%j edited %j', (payload, expected) => {
  expect(NEAREST['file.edited']!.as(payload)).toEqual(expected);
});
