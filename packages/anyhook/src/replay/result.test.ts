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
  }) as unknown as ReadRecord; // the relevant fields of a read record

describe('a recorded event', () => {
  test('a recorded event is fired with the host’s own names, which matchers expect', () => {
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
  test('a decision is the same if verdict, flow and final input are the same', () => {
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

  test('a rewrite is compared in common names, whatever the host’s names', () => {
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

  test('a replay is inexact, with a reason, if the journal omitted something', () => {
    expect(compared(record({ redacted: 2, cut: 1, paused: true }), now).inexact).toEqual([
      '2 secrets were taken out of the record',
      '1 long texts were shortened in the record',
      'hooks were paused when it was recorded',
    ]);
  });
});
