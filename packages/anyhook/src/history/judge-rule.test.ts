import { describe, expect, test } from 'vitest';
import type { EventName } from '../events/events.ts';
import type { WayOf } from '../events/hook.ts';
import type { CallTest, Rule } from '../events/rule.ts';
import { MemoryHistory } from './history.ts';
import { judgeRule, prepareRule } from './judge-rule.ts';
import { loggedEvent } from './logged-event.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2030, 0, 1);
type Fired = Parameters<typeof loggedEvent>[0];

const event = (name: EventName, tool: string, more: object = {}, call?: string): Fired =>
  ({
    name,
    payload: { tool, input: {}, ...more },
    ids: { session: 's', ...(call !== undefined && { call }) },
    scene: { cwd: '/p' },
    round: 1,
  }) as unknown as Fired;
const named =
  (tool: string): CallTest =>
  ({ payload }) =>
    (payload as { tool?: unknown }).tool === tool;
const way = (rule: object, tool: string): WayOf<'rule'> => ({
  kind: 'rule',
  rule: { verdict: 'deny', ...rule } as Rule,
  test: named(tool),
});
const judged = (history: MemoryHistory, one: WayOf<'rule'>) =>
  judgeRule(one, event('tool.before', 'push') as never, {
    history,
    isInProject: (cwd) => cwd === '/p',
    nowMs: NOW,
    reportsFailures: true,
  })?.kind ?? 'passes';

/** A history with calls of one tool at these times. Each call succeeds. */
function historyAt(tool: string, ...times: readonly number[]): MemoryHistory {
  const history = new MemoryHistory();
  for (const [at, atMs] of times.entries()) {
    history.note(loggedEvent(event('tool.before', tool, {}, String(at)), { verdict: 'none' }, atMs));
    history.note(loggedEvent(event('tool.after', tool, {}, String(at)), { verdict: 'none' }, atMs));
  }
  return history;
}

describe('a clock that was set back', () => {
  const per = { text: '1h', ms: HOUR };

  test.each([
    ['two hours ago', NOW - 2 * HOUR, 'passes'],
    ['half an hour ago', NOW - HOUR / 2, 'deny'],
    ['in the future', NOW + 24 * HOUR, 'deny'],
  ])('a limit and a prohibition judge a call %s as %s', (_, atMs, verdict) => {
    const history = historyAt('push', atMs as number);
    const limit = way({ kind: 'limit', times: 1, per, across: 'session' }, 'push');
    const forbid = way({ kind: 'forbid', after: 'push', within: per, across: 'session' }, 'push');
    expect([judged(history, limit), judged(history, forbid)]).toEqual([verdict, verdict]);
  });

  test.each([
    ['two hours ago', NOW - 2 * HOUR, 'deny'],
    ['half an hour ago', NOW - HOUR / 2, 'passes'],
    ['in the future', NOW + 24 * HOUR, 'deny'],
  ])('a requirement judges a call %s as %s', (_, atMs, verdict) => {
    const requires = way({ kind: 'requires', earlier: 'test', succeeded: true, within: per }, 'test');
    expect(judged(historyAt('test', atMs as number), requires)).toBe(verdict);
  });

  test('"since the last edit" follows the recorded order, not the clock', () => {
    const requires = way({ kind: 'requires', earlier: 'test', succeeded: true, since: 'last edit' }, 'test');
    const history = historyAt('test', NOW);
    history.note(loggedEvent(event('tool.before', 'edit', {}, 'e'), { verdict: 'none' }, NOW - 24 * HOUR));
    expect(judged(history, requires)).toBe('deny');
  });
});

describe('a result', () => {
  const requires = way({ kind: 'requires', earlier: 'test', succeeded: true }, 'test');

  test('a result without a call id belongs to the last open call with the same input', () => {
    const history = new MemoryHistory();
    history.note(loggedEvent(event('tool.before', 'test'), { verdict: 'none' }, NOW));
    expect(judged(history, requires)).toBe('deny');
    history.note(loggedEvent(event('tool.after', 'test', { isError: true }), { verdict: 'none' }, NOW));
    expect(judged(history, requires)).toBe('deny');
    history.note(loggedEvent(event('tool.before', 'test'), { verdict: 'none' }, NOW));
    history.note(loggedEvent(event('tool.after', 'test'), { verdict: 'none' }, NOW));
    expect(judged(history, requires)).toBe('passes');
  });

  test('interleaved calls of a subagent keep their own results', () => {
    const history = new MemoryHistory();
    for (const [name, call, isError] of [
      ['tool.before', 'a', false],
      ['tool.before', 'b', false],
      ['tool.after', 'b', true],
      ['tool.after', 'a', false],
    ] as const)
      history.note(loggedEvent(event(name, 'test', { isError }, call), { verdict: 'none' }, NOW));
    expect(judged(history, requires)).toBe('passes');
  });

  test('a call that was asked about counts once its result shows that it ran', () => {
    const ran = way({ kind: 'requires', earlier: 'test' }, 'test');
    const history = new MemoryHistory();
    history.note(loggedEvent(event('tool.before', 'test', {}, 'a'), { verdict: 'ask' }, NOW));
    expect(judged(history, ran)).toBe('deny');
    history.note(loggedEvent(event('tool.after', 'test', {}, 'a'), { verdict: 'none' }, NOW));
    expect(judged(history, ran)).toBe('passes');
  });

  test('a call that failed ran, and did not succeed', () => {
    const history = new MemoryHistory();
    history.note(loggedEvent(event('tool.before', 'test', {}, 'a'), { verdict: 'none' }, NOW));
    history.note(loggedEvent(event('tool.failed', 'test', { error: 'x' }, 'a'), { verdict: 'none' }, NOW));
    const ran = way({ kind: 'requires', earlier: 'test' }, 'test');
    expect([judged(history, ran), judged(history, requires)]).toEqual(['passes', 'deny']);
  });
});

test('a history that was dropped to save memory does not look like a new session', () => {
  const history = historyAt('secret', NOW);
  for (let at = 0; at < 1000; at++) {
    const other = event('tool.before', 'x');
    history.note(loggedEvent({ ...other, ids: { session: `other ${at}` } }, { verdict: 'none' }, NOW));
  }
  const forbid = way({ kind: 'forbid', after: 'secret', across: 'session' }, 'secret');
  expect(() => judged(history, forbid)).toThrow('was dropped');
});

test('each call is tested once per rule, however long the session is', () => {
  const history = new MemoryHistory();
  let tests = 0;
  const counted: WayOf<'rule'> = {
    ...way({ kind: 'forbid', after: 'secret', across: 'session' }, 'secret'),
    test: (call) => {
      tests++;
      return named('secret')(call);
    },
  };
  const testsPerEvent = new Set<number>();
  for (let at = 0; at < 10_000; at++) {
    history.note(loggedEvent(event('tool.before', 'read', {}, String(at)), { verdict: 'none' }, NOW));
    const before = tests;
    judged(history, counted);
    testsPerEvent.add(tests - before);
  }
  expect([...testsPerEvent]).toEqual([1]);
});

test('a prepared rule tests no call when it answers', () => {
  const history = historyAt('read', ...Array.from({ length: 100 }, () => NOW));
  let tests = 0;
  const counted: WayOf<'rule'> = {
    ...way({ kind: 'forbid', after: 'secret', across: 'session' }, 'secret'),
    test: (call) => {
      tests++;
      return named('secret')(call);
    },
  };
  prepareRule(counted, history.session('s'));
  expect(tests).toBe(100);
  expect(judged(history, counted)).toBe('passes');
  expect(tests).toBe(100);
});
