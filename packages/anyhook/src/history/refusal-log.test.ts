import { describe, expect, test } from 'vitest';
import type { Event } from '../events/event.ts';
import type { Sticky } from '../events/outcome.ts';
import { type AnsweredCall, RefusalLog } from './refusal-log.ts';

const NOW = Date.UTC(2030, 0, 1);
const deletes = (path: string) => [{ does: 'delete', targets: [path] } as const];

function answered(
  sticky: Sticky | undefined,
  more: Partial<AnsweredCall> & { call?: string } = {},
): AnsweredCall {
  const { call, ...rest } = more;
  return {
    event: {
      name: 'tool.before',
      payload: { tool: 'shell', input: {} },
      ids: { session: 's', ...(call !== undefined && { call }) },
      scene: { cwd: '/p' },
      round: 1,
    } as Event,
    ruling: { verdict: 'deny', ...(sticky && { sticky }) },
    reason: 'no',
    atMs: NOW,
    isPartial: false,
    ...rest,
  };
}
const remembered = (path: string, call = path): Sticky => ({
  kind: 'remembered',
  by: 'guard',
  acts: [`delete ${path}`],
  call,
});
const repeated = (times: number, atMs = NOW): Sticky => ({ kind: 'repeated', by: 'guard', atMs, times });
const logOf = (...events: readonly AnsweredCall[]): RefusalLog => {
  const log = new RefusalLog();
  for (const event of events) log.add(event);
  return log;
};

describe('the refusals of a session', () => {
  test('a refusal of the same acts counts once, with every attempt', () => {
    const log = logOf(
      answered(remembered('/p/a')),
      answered(remembered('/p/a', 'other words')),
      answered(repeated(3)),
    );
    expect(log.repeatedBy(deletes('/p/a'), 'x')).toMatchObject([{ times: 3, atMs: NOW }]);
  });

  test('exactly the refused call is left to its hook', () => {
    expect(logOf(answered(remembered('/p/a'))).repeatedBy(deletes('/p/a'), '/p/a')).toEqual([]);
  });

  test.each([
    ['deny', 1],
    ['ask', 1],
    ['allow', 0],
    ['none', 0],
  ] as const)('a repeated call that ended with %s leaves %i refusals', (verdict, left) => {
    const sticky = repeated(2);
    const log = logOf(answered(remembered('/p/a')), answered(sticky, { ruling: { verdict, sticky } }));
    expect(log.repeatedBy(deletes('/p/a'), 'x')).toHaveLength(left);
  });

  test('the result of a call that was asked about ends its refusal, and that of another call does not', () => {
    const sticky = repeated(4);
    const asked = answered(sticky, { call: 'c', ruling: { verdict: 'ask', sticky } });
    const result = (call: string) => {
      const { event, ...rest } = answered(undefined, { call, ruling: { verdict: 'none' } });
      return { ...rest, event: { ...event, name: 'tool.after' } as Event };
    };
    const log = logOf(answered(remembered('/p/a')), asked, result('another call of a subagent'));
    expect(log.repeatedBy(deletes('/p/a'), 'x')).toHaveLength(1);
    log.add(result('c'));
    expect(log.repeatedBy(deletes('/p/a'), 'x')).toEqual([]);
  });

  test('a clock that is set back changes neither order nor memory', () => {
    const log = logOf(answered(remembered('/p/a')), answered(remembered('/p/b'), { atMs: NOW - 86_400_000 }));
    const last = repeated(2, NOW - 86_400_000);
    log.add(answered(last, { atMs: NOW - 90_000_000, ruling: { verdict: 'none', sticky: last } }));
    expect([
      log.repeatedBy(deletes('/p/a'), 'x').length,
      log.repeatedBy(deletes('/p/b'), 'x').length,
    ]).toEqual([1, 0]);
  });

  test('a call that deletes the folder around a target repeats the refusal', () => {
    const log = logOf(answered(remembered('/p/a/b')));
    const found = ['/p/a', '/', '/p/a/b/c', '/p/a/bc', '/p/a/*', '/p/**/b'].map(
      (path) => log.repeatedBy(deletes(path), 'x').length,
    );
    expect(found).toEqual([1, 1, 0, 0, 1, 1]);
  });

  test('a session of 100,000 events keeps its last thousand refusals, and finds the last', () => {
    const log = new RefusalLog();
    for (let at = 0; at < 100_000; at++)
      log.add(answered(at % 10 === 0 ? remembered(`/p/${at}`) : undefined));
    const left = [0, 89_990, 90_000, 99_990].map((at) => log.repeatedBy(deletes(`/p/${at}`), 'x').length);
    expect(left).toEqual([0, 0, 1, 1]);
  });
});
