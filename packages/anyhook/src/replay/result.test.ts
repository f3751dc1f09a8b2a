import { describe, expect, test } from 'vitest';
import { silentOutcome } from '../events/outcome.ts';
import type { ReadRecord } from '../journal/index.ts';
import { compared, recordedInput } from './result.ts';

const record = (more: object = {}): ReadRecord =>
  ({
    event: 'tool.before',
    before: { tool: 'write', input: { path: 'a' } },
    native: { tool: 'Write', args: { path: 'file_path' } },
    ids: { session: 's' },
    scene: { cwd: '/p' },
    verdict: 'none',
    flow: {},
    ...more,
  }) as unknown as ReadRecord; // what this looks at, of a record that was read

describe('a recorded event', () => {
  test('is fired again as the host said it: matchers look at its own spelling', () => {
    expect(recordedInput(record())).toEqual({
      name: 'tool.before',
      payload: { tool: 'Write', input: { file_path: 'a' } },
      ids: { session: 's' },
      scene: { cwd: '/p' },
    });
  });

  const now = silentOutcome({
    name: 'tool.before',
    payload: { tool: 'Write', input: { file_path: 'a' } },
  });
  test('is decided as before when verdict, flow and what should run are the same', () => {
    expect(compared(record(), now).isSame).toBe(true);
    expect(compared(record(), { ...now, verdict: 'deny', reasons: [{ by: 'h', text: 'no' }] })).toMatchObject(
      {
        isSame: false,
        before: { verdict: 'none', flow: [] },
        now: { verdict: 'deny', flow: [] },
        reasons: ['no'],
      },
    );
    expect(compared(record(), { ...now, flow: { halt: 'stop' } }).isSame).toBe(false);
  });

  test('compares a rewrite in our words, however the host spells it', () => {
    const changed = {
      ...now,
      payload: { tool: 'Write', input: { file_path: 'b' } },
      changed: [{ by: 'h', at: 'input.path' }],
    };
    const after = { tool: 'write', input: { path: 'b' } };
    expect(compared(record({ after }), changed).isSame).toBe(true);
    expect(compared(record({ after: { tool: 'write', input: { path: 'c' } } }), changed).isSame).toBe(false);
    expect(compared(record(), changed).isSame).toBe(false);
  });

  test('is not exact where the journal left something out, and says so', () => {
    expect(compared(record({ redacted: 2, cut: 1, paused: true }), now).inexact).toEqual([
      '2 secrets were taken out of the record',
      '1 long texts were shortened in the record',
      'hooks were paused when it was recorded',
    ]);
  });
});
