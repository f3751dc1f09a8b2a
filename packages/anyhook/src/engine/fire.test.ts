/** Situations besides answers: an abort, shadow mode, background hooks, a status line. */

import { describe, expect, test } from 'vitest';
import type { Run } from '../events/outcome.ts';
import { makeEngine } from './engine.ts';
import { ALL } from './fixtures/dialects.ts';
import { before, commandOf, event, go, hook, rounds, run, skipped } from './fixtures/stage.ts';

const change = { kind: 'set', at: ['input', 'command'], to: 'y' };
const after = (ms: number) => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), ms);
  return stop.signal;
};

describe('an abort', () => {
  test('an abort ends running hooks, starts no others, and denies the action', async () => {
    const outcome = await go(
      before('x'),
      [hook('goose', 'sleep 30', { id: 'g' }), hook('claude-code', 'true', { id: 'c' })],
      {},
      after(60),
    );
    expect([outcome.aborted, outcome.verdict]).toEqual([true, 'deny']);
    expect(outcome.reasons).toEqual([{ by: 'host', text: 'aborted', broken: true }]);
    expect(outcome.runs.map((one) => one.answer?.failed?.kind)).toEqual(['aborted', 'aborted']);
  });

  test('an abort before the fire starts no hook, not even in the background', async () => {
    let started = 0;
    const count = () => void (started += 1);
    const outcome = await go(
      before('x'),
      [
        hook('own', count, { onFailure: 'allow' }),
        hook('own', count, { id: 'bg', background: true }),
        hook('opencode', count, { id: 'detached', on: 'event' }),
        hook('claude-agent-sdk', count, { onFailure: 'allow' }),
      ],
      {},
      AbortSignal.abort(),
    );
    expect([started, outcome.aborted, outcome.verdict]).toEqual([0, true, 'deny']);
    expect([skipped(outcome, 'bg'), skipped(outcome, 'detached')]).toEqual(['aborted', 'aborted']);
  });

  test('an abort caused by a hook counts, synchronous or not, with and without a deadline', async () => {
    for (const budgetMs of [undefined, 60_000])
      for (const slow of [false, true]) {
        const stop = new AbortController();
        const later: string[] = [];
        const outcome = await go(
          before('x'),
          [
            hook('own', () => (stop.abort(), slow ? new Promise(() => {}) : undefined)),
            hook('own', () => void later.push('ran')),
          ],
          budgetMs === undefined ? {} : { budgetMs },
          stop.signal,
        );
        expect([outcome.aborted, outcome.verdict, later]).toEqual([true, 'deny', []]);
      }
  });

  test('an abort in the second round counts', async () => {
    const stop = new AbortController();
    const judge = ({ round }: { round: number }) =>
      round === 2 ? (stop.abort(), new Promise(() => {})) : undefined;
    const outcome = await go(
      before('x'),
      [hook('own', judge, { id: 'judge' }), hook('own', () => change, { roles: ['mutator'] })],
      {},
      stop.signal,
    );
    expect([outcome.aborted, outcome.verdict, rounds(outcome, 'judge')]).toEqual([true, 'deny', [1, 2]]);
  });

  test('an abort of an event that cannot be denied is reported', async () => {
    const outcome = await go(
      event('session.end', {}),
      [hook('own', () => {}, { on: 'session.end' })],
      {},
      AbortSignal.abort(),
    );
    expect([outcome.aborted, outcome.verdict]).toEqual([true, 'none']);
  });

  test('an abort after the fire changes nothing', async () => {
    const stop = new AbortController();
    const outcome = await go(before('x'), [hook('own', async () => {})], {}, stop.signal);
    stop.abort();
    expect([outcome.aborted, outcome.verdict]).toEqual([false, 'none']);
  });
});

describe('shadow', () => {
  test('a shadow hook decides nothing and stops no hook, but its answer is recorded', async () => {
    const outcome = await go(before('x'), [
      hook('opta', 'echo would >&2; exit 1', { id: 'shadow', shadow: true }),
      hook('opta', 'true', { id: 'next' }),
    ]);
    expect([outcome.verdict, rounds(outcome, 'next'), outcome.runs[0]!.ignored]).toEqual([
      'none',
      [1],
      [{ effect: { kind: 'deny', reason: 'would' }, why: 'shadow' }],
    ]);
  });

  test('with global shadow every hook runs and is recorded, and nothing is enforced', async () => {
    const outcome = await go(
      before('x'),
      [
        hook('own', () => [{ kind: 'deny' }, change, { kind: 'context', text: 'c' }, { kind: 'halt' }]),
        hook('own', () => {
          throw new Error('bug');
        }),
      ],
      { shadow: true },
    );
    expect([outcome.verdict, commandOf(outcome), outcome.said, outcome.flow]).toEqual(['none', 'x', [], {}]);
    expect(outcome.runs.map((one) => one.ignored?.map(({ effect, why }) => [effect.kind, why]))).toEqual([
      [
        ['deny', 'shadow'],
        ['set', 'shadow'],
        ['context', 'shadow'],
        ['halt', 'shadow'],
      ],
      [['deny', 'shadow']],
    ]);
  });
});

describe('in the background', () => {
  test('background hooks start in order, are not awaited, cannot decide, and report later', async () => {
    const late: [string, Run][] = [];
    let done!: () => void;
    const reported = new Promise<void>((resolve) => (done = resolve));
    const outcome = await go(
      before('x'),
      [
        hook('opta', 'sleep 0.3; exit 1', { id: 'bg', background: true }),
        hook('opta', 'exit 1', { id: 'stop' }),
        hook('opta', 'true', { id: 'never', background: true }),
      ],
      { onLate: (one, { id }) => (late.push([id, one]), done()) },
    );
    expect(late).toEqual([]);
    expect(outcome.reasons.map(({ by }) => by)).toEqual(['stop']);
    expect([skipped(outcome, 'bg'), skipped(outcome, 'never')]).toEqual([
      'in the background',
      'stopped by stop',
    ]);
    await reported;
    const { late: key } = outcome.runs.find((one) => one.hook === 'bg')!;
    expect(key).toBeTypeOf('string');
    expect(late).toEqual([
      [
        'bg',
        {
          hook: 'bg',
          round: 1,
          ms: expect.any(Number),
          late: key,
          code: 1,
          answer: { effects: [{ kind: 'deny', reason: 'blocked by hook' }] },
        },
      ],
    ]);
  });

  test('background hooks are not limited by the deadline of the fire', async () => {
    const late = new Promise<Run>((onLate) => {
      void go(before('x'), [hook('opta', 'sleep 0.3; exit 1', { background: true })], {
        onLate,
        budgetMs: 50,
      });
    });
    expect((await late).answer?.failed).toBeUndefined();
  });

  test('a failure of a background hook is recorded and never reaches the host', async () => {
    const late = new Promise<Run>((onLate) => {
      const boom = () => Promise.reject(new Error('bug'));
      void go(before('x'), [hook('opencode', boom, { on: 'event', onFailure: 'allow', timeoutMs: 5000 })], {
        onLate,
      });
    });
    expect((await late).answer?.effects).toEqual([{ kind: 'deny', reason: 'bug' }]);
  });

  test('a fire does not wait for hooks of a detached event', async () => {
    const outcome = await go(before('x'), [
      hook('opencode', () => new Promise(() => {}), { id: 'd', on: 'event', timeoutMs: 100 }),
    ]);
    expect([outcome.verdict, skipped(outcome, 'd')]).toEqual(['none', 'in the background']);
  });
});

describe('a status line', () => {
  test('a status line is notified of starts and ends in order', async () => {
    const heard: string[] = [];
    const outcome = await go(
      before('x'),
      [hook('own', () => undefined, { id: 'a' }), hook('opta', 'true', { id: 'b' })],
      { onStart: ({ id }) => heard.push(`+${id}`), onEnd: ({ id }) => heard.push(`-${id}`) },
    );
    expect([heard, outcome.verdict]).toEqual([['+b', '-b', '+a', '-a'], 'none']);
  });

  test('onEnd works without onStart', async () => {
    const heard: string[] = [];
    await go(before('x'), [hook('own', () => undefined, { id: 'a' })], { onEnd: ({ id }) => heard.push(id) });
    expect(heard).toEqual(['a']);
  });
});

describe('an engine', () => {
  test('an engine does nothing for an event without hooks', () => {
    const engine = makeEngine({ dialects: ALL, hooks: [hook('own', () => {})], run, services: {} });
    expect([engine.wants('tool.before'), engine.wants('tool.after')]).toEqual([true, false]);
    expect(engine.fire(event('session.end', {}))).toBeUndefined();
    expect(engine.plan(event('session.end', {}))).toBeUndefined();
  });

  test('an engine keeps concurrent fires apart', async () => {
    const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
    const slowly = async ({ payload }: { payload: { input: { ms: number } } }) => {
      await wait(payload.input.ms);
      return { kind: 'set', at: ['input', 'seen'], to: payload.input.ms };
    };
    const engine = makeEngine({
      dialects: ALL,
      hooks: [hook('own', slowly, { roles: ['mutator'] })],
      run,
      services: {},
    });
    const outcomes = await Promise.all([30, 0, 15].map((ms) => engine.fire(before('x', { ms }))));
    expect(outcomes.map((one) => one!.payload['input'])).toEqual(
      [30, 0, 15].map((ms) => ({ command: 'x', ms, seen: ms })),
    );
  });
});

describe('an effect of ours returned by a hook of another agent', () => {
  const misplaced = (dialect: string, effect: unknown) => go(before('ls'), [hook(dialect, () => effect)]);

  test.each(['claude-agent-sdk', 'oh-my-pi'])('refuses in %s and is unreadable', async (name) => {
    const outcome = await misplaced(name, { kind: 'deny', reason: 'no' });
    expect([outcome.verdict, outcome.reasons.map(({ text }) => text)]).toEqual([
      'deny',
      expect.arrayContaining(['no']),
    ]);
    expect(outcome.runs[0]!.answer!.failed).toMatchObject({ kind: 'unreadable' });
  });

  test('a misplaced allow approves nothing', async () => {
    const outcome = await misplaced('claude-agent-sdk', [{ kind: 'allow' }]);
    expect(outcome.verdict).not.toBe('allow');
    expect(outcome.runs[0]!.answer!.failed?.detail).toContain('return that agent');
  });

  test('an object that only has a field called kind is not an effect', async () => {
    const outcome = await misplaced('oh-my-pi', { kind: 'other' });
    expect([outcome.verdict, outcome.runs[0]!.answer!.failed]).toEqual(['none', undefined]);
  });
});
