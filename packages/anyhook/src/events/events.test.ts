import { describe, expect, test } from 'vitest';
import { EFFECT_KINDS } from './effects.ts';
import { EVENT_NAMES, isEventName, rowOf } from './events.ts';
import { schemaOf } from './validate.ts';

describe.each(EVENT_NAMES)('%s', (name) => {
  const { when, subject, mutable, effects, gives } = rowOf(name);

  test('describes when it fires in one sentence', () => {
    expect(when).toMatch(/^[A-Z].*[.?]$/);
  });

  test('has a subject and mutable fields that are fields of its payload', () => {
    const fields = Object.keys(schemaOf(name).shape);
    expect(fields).toEqual(expect.arrayContaining([...mutable, ...(subject === null ? [] : [subject])]));
  });

  test('lists existing effects once each, and set only with mutable fields', () => {
    expect(EFFECT_KINDS).toEqual(expect.arrayContaining([...effects]));
    expect(new Set(effects).size).toBe(effects.length);
    expect(effects.includes('set')).toBe(mutable.length > 0);
  });

  test('lists its gifts once each, and only together with the effect give', () => {
    expect(effects.includes('give')).toBe(gives !== undefined && gives.length > 0);
    expect(new Set(gives).size).toBe(gives?.length ?? 0);
  });

  test('allows a notice to the user', () => {
    expect(effects).toContain('notice');
  });
});

test('isEventName accepts only the names of the table', () => {
  expect(EVENT_NAMES.every(isEventName)).toBe(true);
  expect(['toString', '__proto__', 'constructor', 'tool', ''].some(isEventName)).toBe(false);
});

test('the table contains every event of the design', () => {
  expect(EVENT_NAMES).toEqual(
    expect.arrayContaining([
      ...[
        'start',
        'end',
        'switching',
        'switched',
        'branching',
        'branched',
        'navigating',
        'navigated',
        'error',
      ].map((event) => `session.${event}`),
      'prompt.submit',
      'agent.before',
      'agent.start',
      'agent.end',
      'turn.start',
      'turn.end',
      'turn.stop',
      'model.context',
      'model.parameters',
      'model.request',
      'model.response',
      'tool.before',
      'tool.permission',
      'tool.after',
      'tool.failed',
      'tool.offered',
      'auth.offered',
      'file.edited',
      'subagent.start',
      'subagent.stop',
      'notification.sent',
      'config.loaded',
      'other',
      'compaction.before',
      'compaction.prompt',
      'compaction.after',
      'autocompaction.start',
      'autocompaction.end',
      'retry.start',
      'retry.end',
      'rule.triggered',
      'todo.reminder',
    ]),
  );
});
