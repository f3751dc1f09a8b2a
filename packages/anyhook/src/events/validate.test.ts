import { expect, test } from 'vitest';
import { z } from 'zod';
import { EVENT_NAMES } from './events.ts';
import { faultsIn, schemaOf } from './validate.ts';

test('a valid payload has no problems, and extra fields are allowed', () => {
  expect(faultsIn('tool.before', { tool: 'shell', input: { command: 'ls' }, more: 1 })).toEqual([]);
});

test('reports every problem with its path', () => {
  expect(faultsIn('tool.before', { tool: 1 })).toEqual([
    expect.stringMatching(/^tool\.before\.tool: .*string/),
    expect.stringMatching(/^tool\.before\.input: /),
  ]);
  expect(faultsIn('session.end', null)).toHaveLength(1);
});

test('every payload converts to JSON Schema', () => {
  for (const name of EVENT_NAMES) expect(z.toJSONSchema(schemaOf(name))).toMatchObject({ type: 'object' });
});
