import { describe, expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import { type AnyHookDefinition, HookDefinitionSchema, OptaConfigSchema } from './index.ts';

const EVENTS = [
  'session.start',
  'session.end',
  'tool.pre',
  'tool.post',
  'compact',
  'error',
  'turn.done',
  'prompt.pre',
  'stop',
];
const faults = (value: unknown) => {
  const result = HookDefinitionSchema.safeParse(value);
  return result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

describe('the schema of a hook', () => {
  test.each(EVENTS)('the schema accepts %s', (event) => {
    expect(faults({ event, command: 'x' })).toEqual([]);
  });

  test('the schema enforces the limits of the timeout', () => {
    const at = (timeout: unknown) => faults({ event: 'error', command: 'x', timeout }).length === 0;
    expect([99, 100, 100.5, 5000, 60_000, 60_001, '5000', NaN].map(at)).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test('the schema accepts matcher, timeout, the background flag, and fields of V4', () => {
    const hook = {
      event: 'tool.pre',
      command: 'x',
      matcher: 'edit_file|write_file',
      timeout: 5000,
      background: true,
      protocol: 'json',
      statusMessage: 's',
      onFailure: 'ask',
    };
    expect(HookDefinitionSchema.parse(hook)).toEqual(hook);
    const prompt = { event: 'tool.pre', type: 'prompt', prompt: 'Is it safe?' };
    expect(HookDefinitionSchema.parse(prompt)).toEqual(prompt);
  });

  test('an error names the invalid field', () => {
    expect(faults({ event: 'error' })).toEqual([
      'command: Invalid input: expected string, received undefined',
    ]);
    expect(faults({ event: 'error', type: 'prompt' })).toEqual([
      'prompt: Invalid input: expected string, received undefined',
    ]);
    expect(faults({ event: 'tool.per', command: 'x' })).toEqual([
      expect.stringMatching(/^event: Invalid option/),
    ]);
  });

  test('a manager accepts the parsed value', () => {
    expectTypeOf<z.infer<typeof HookDefinitionSchema>>().toExtend<AnyHookDefinition>();
  });
});

describe('the schema of the file', () => {
  test('the file schema defaults to an empty list and keeps every other key', () => {
    expect(OptaConfigSchema.parse({})).toEqual({ hooks: [] });
    expect(OptaConfigSchema.parse({ model: 'm', search: { a: 1 } })).toEqual({
      model: 'm',
      search: { a: 1 },
      hooks: [],
    });
  });

  test('an error of the file schema names the location', () => {
    const result = OptaConfigSchema.safeParse({
      hooks: [
        { event: 'error', command: 'x' },
        { event: 'x', command: 'y' },
      ],
    });
    expect(result.error?.issues.map(({ path }) => path)).toEqual([['hooks', 1, 'event']]);
  });
});
