/** Hooks that are functions of the program: they receive the frozen event and return an answer or a promise. */

import { describe, expect, test } from 'vitest';
import { makeEngine } from '../engine/engine.ts';
import { ALL } from '../engine/fixtures/dialects.ts';
import { before, commandOf, go as goWith, hook, inputOf, rounds } from '../engine/fixtures/stage.ts';
import type { Parts } from '../engine/parts.ts';
import type { Effect } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import type { Hook } from '../events/hook.ts';
import type { Ruling } from '../events/outcome.ts';
import { makeRun } from '../runs/runs.ts';
import { ruling } from '../testing/outcome.ts';

/** Creates the function runner in the same way as createHooks. */
const runWith = (services: Parts['services']): Parts['run'] =>
  makeRun({
    commands: () => {
      throw new Error('no command is run here');
    },
    services,
    depthLimit: { spend: () => '', env: {}, close() {} },
  });
const engine = (hooks: readonly Hook[], over: Partial<Parts> = {}) =>
  makeEngine({ dialects: ALL, hooks, run: runWith(over.services ?? {}), services: {}, ...over });
const go = (
  what: Event,
  hooks: readonly Hook[],
  over: Partial<Parts> = {},
  signal?: AbortSignal,
): Promise<Ruling> => goWith(what, hooks, { run: runWith({}), ...over }, signal);
const QUIET = ruling({ payload: { tool: 'shell', input: { command: 'x' } } });
const silent = (id: string) => ({
  hook: id,
  round: 1,
  ms: expect.any(Number) as number,
  answer: { effects: [] },
  judged: QUIET.payload,
});
const pause = (ms: number) => new Promise<undefined>((done) => setTimeout(done, ms, undefined));

describe('hooks without an answer', () => {
  test('function hooks run before fire returns, and each leaves a record', async () => {
    const called: string[] = [];
    const hooks = ['a', 'b'].map((id) => hook('own', () => void called.push(id), { id }));
    const outcome = engine(hooks).fire(before('x'));
    expect(called).toEqual(['a', 'b']);
    expect(await outcome).toEqual({ ...QUIET, runs: [silent('a'), silent('b')] });
  });

  test('fire waits for slow function hooks', async () => {
    const order: string[] = [];
    const of = (id: string, ms: number) =>
      hook('own', () => (ms === 0 ? void order.push(id) : pause(ms).then(() => void order.push(id))), { id });
    const outcome = engine([of('a', 0), of('b', 20), of('c', 0), of('d', 5)]).fire(before('x'));
    expect(outcome).toBeInstanceOf(Promise);
    expect(await outcome).toEqual({ ...QUIET, runs: ['a', 'b', 'c', 'd'].map(silent) });
    expect(order).toEqual(['a', 'b', 'c', 'd']);
  });

  test('promises of function hooks are followed like `await` does, whatever properties they have', async () => {
    const refusal: Effect = { kind: 'deny', reason: 'no' };
    const withThen = <T extends object>(home: T, then: (go: (said?: unknown) => void) => void): T =>
      // oxlint-disable-next-line unicorn/no-thenable -- that is what is tested
      Object.defineProperty(home, 'then', { value: then });
    const real = (value: unknown) => withThen(Promise.resolve(value), (go) => go());
    const strange = (value: unknown) => withThen({}, (go) => go(value));
    const liar = Object.defineProperty(Promise.resolve(), 'constructor', {
      get() {
        throw new Error('no constructor');
      },
    });
    const of = (id: string, value: unknown) => hook('own', () => value, { id });
    const fired = async (...values: unknown[]): Promise<[string, string[]]> => {
      const hooks = [pause(1), ...values].map((value, at) => of(`h${at}`, value));
      const { verdict, reasons } = await engine(hooks).fire(before('x'))!;
      return [verdict, reasons.map(({ by, text }) => `${by}: ${text}`)];
    };
    expect(await fired(real(undefined), strange(undefined))).toEqual(['none', []]);
    expect(await fired(real(undefined), real(refusal))).toEqual(['deny', ['h2: no']]);
    expect(await fired(strange(undefined), strange(refusal))).toEqual(['deny', ['h2: no']]);
    const [verdict, [reason]] = await fired(undefined, liar);
    expect([verdict, reason]).toEqual(['deny', expect.stringContaining('failed: no constructor')]);
  });

  test('function hooks receive the services of the host', () => {
    const lines: string[] = [];
    const log = (_level: string, line: string) => void lines.push(line);
    const tell = (_event: Event, { log: to }: { log?: typeof log }) => to?.('info', 'hello');
    void engine([hook('own', tell)], { services: { log } }).fire(before('x'));
    expect(lines).toEqual(['hello']);
  });
});

describe('switching to the tally', () => {
  const set = (key: string, to: unknown): Effect => ({ kind: 'set', at: ['input', key], to });

  test.each([true, false])(
    'the first answer starts the tally with all earlier results on the record (async: %s)',
    async (slow) => {
      const asked: string[] = [];
      const of = (id: string, effect?: Effect) =>
        hook('own', () => (asked.push(id), slow ? pause(1).then(() => effect) : effect), { id });
      const outcome = await engine([
        of('a'),
        of('b', { kind: 'context', text: 'c' }),
        of('c'),
        of('d', { kind: 'deny', reason: 'no' }),
        of('e'),
      ]).fire(before('x'));
      expect(outcome).toMatchObject({ verdict: 'deny', reasons: [{ by: 'd', text: 'no' }] });
      expect(asked).toEqual(['a', 'b', 'c', 'd']);
      expect(outcome!.runs.map((one) => [one.hook, one.skipped])).toEqual([
        ['a', undefined],
        ['b', undefined],
        ['c', undefined],
        ['d', undefined],
        ['e', 'stopped by d'],
      ]);
    },
  );

  test('later hooks receive the changed value, and earlier guards judge the final value', async () => {
    const seen: [string, unknown][] = [];
    const look = (id: string) => hook('own', (now: Event) => void seen.push([id, inputOf(now)['n']]), { id });
    const outcome = await go(before('x', { n: 0 }), [
      look('a'),
      hook('own', () => set('n', 1), { id: 'set', roles: ['mutator'] }),
      look('b'),
    ]);
    expect(seen).toEqual([
      ['a', 0],
      ['b', 1],
      ['a', 1],
    ]);
    expect([rounds(outcome, 'a'), rounds(outcome, 'b'), rounds(outcome, 'set')]).toEqual([[1, 2], [1], [1]]);
  });

  test('a function hook that throws after others ran is a failure of that hook', async () => {
    for (const boom of [
      () => {
        throw new Error('bug');
      },
      () => Promise.reject(new Error('bug')),
    ]) {
      const outcome = await go(before('x'), [
        hook('own', async () => {}, { id: 'a' }),
        hook('own', boom, { id: 'b' }),
        hook('own', () => undefined, { id: 'c' }),
      ]);
      expect([outcome.verdict, outcome.reasons.map(({ by, broken }) => [by, broken])]).toEqual([
        'deny',
        [['b', true]],
      ]);
    }
  });
});

describe('a deadline', () => {
  test('a function hook that hangs is abandoned at its deadline, and its late answer is dropped', async () => {
    let say!: (effect: Effect) => void;
    const late = new Promise<Effect>((resolve) => (say = resolve));
    const outcome = await go(before('x'), [
      hook('own', () => undefined, { id: 'a' }),
      hook('own', () => late, { id: 'slow', timeoutMs: 30 }),
    ]);
    expect([outcome.verdict, outcome.runs[1]!.answer?.failed]).toEqual(['deny', { kind: 'timed-out' }]);
    const kept = structuredClone(outcome);
    say({ kind: 'set', at: ['input', 'command'], to: 'rm -rf /' });
    await pause(5);
    expect([outcome, commandOf(outcome)]).toEqual([kept, 'x']);
  });

  test('the signal of a function hook fires at the deadline and on abort', async () => {
    const ended: unknown[] = [];
    const listen = (_event: Event, { signal }: { signal: AbortSignal }) =>
      new Promise((done) =>
        signal.addEventListener('abort', () => (ended.push(signal.reason), done(undefined))),
      );
    await go(before('x'), [hook('own', listen, { timeoutMs: 20 })]);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    await go(before('x'), [hook('own', listen)], {}, stop.signal);
    expect(ended.map((reason) => (reason as Error).name)).toEqual(['TimeoutError', 'AbortError']);
  });

  test('a signal that is first read after the deadline is already aborted', async () => {
    let host!: { signal: AbortSignal };
    const keep = (_event: Event, view: typeof host) => ((host = view), new Promise(() => {}));
    await go(before('x'), [hook('own', keep, { timeoutMs: 20 })]);
    expect(host.signal.aborted).toBe(true);
  });

  test('a rejection after the deadline is ignored', async () => {
    let fail!: (error: Error) => void;
    const late = new Promise((_, reject) => (fail = reject));
    const unhandled: unknown[] = [];
    const listen = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', listen);
    const outcome = await go(before('x'), [hook('own', () => late, { timeoutMs: 20, onFailure: 'allow' })]);
    fail(new Error('late'));
    await pause(10);
    process.off('unhandledRejection', listen);
    expect([outcome.runs[0]!.failedOpen, unhandled]).toEqual([true, []]);
  });

  test('each function hook has its own deadline: three slow hooks do not add up', async () => {
    const slow = () => hook('own', () => pause(60), { timeoutMs: 1000 });
    const outcome = await go(before('x'), [slow(), slow(), slow()]);
    expect(outcome.runs.map((one) => one.answer?.failed)).toEqual([undefined, undefined, undefined]);
  });

  test('the shorter deadline of a later hook fires first', async () => {
    const patient = hook('own', () => pause(20), { timeoutMs: 60_000 });
    const hasty = hook('own', () => new Promise(() => {}), { id: 'hasty', timeoutMs: 20 });
    const outcome = await go(before('x'), [patient, hasty]);
    expect(outcome.reasons.map(({ by }) => by)).toEqual(['hasty']);
  });
});
