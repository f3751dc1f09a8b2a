import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Event } from '../canon/event.ts';
import { CallsInTurn, type SynchronousFn } from './calls-in-turn.ts';
import { before } from './fixtures/stage.ts';
import { HostView } from './host-view.ts';

const shown: Event = before('ls');
const host = new HostView({});
const ENOUGH = 1001;

/** Three hooks; what the second does is said for each call. */
function calls(second: SynchronousFn, others = 1) {
  const asked: unknown[] = [];
  let isOn = false;
  const of = (name: string): SynchronousFn =>
    function (this: unknown, ...args) {
      if (!isOn) return undefined;
      asked.push([name, this, ...args]);
      return name === 'b' ? second(...args) : undefined;
    };
  const names = ['a', 'b', ...Array.from({ length: others }, (_, n) => `c${n}`)];
  const made = new CallsInTurn(
    names.map(of),
    names.map((name) => ({ name })),
  );
  return {
    asked,
    times(count: number) {
      isOn = false;
      for (let i = 0; i < count; i++) made.make(shown, host, undefined);
    },
    once(signal?: AbortSignal) {
      isOn = true;
      asked.length = 0;
      return made.make(shown, host, signal);
    },
  };
}
const call = (name: string) => [name, { name }, shown, host];
const boom = new Error('bug');
const isWrittenOut = (second: ReturnType<typeof calls>): boolean => {
  const stop = second.once();
  return stop?.kind === 'threw' && String((stop.error as Error).stack).includes('anyhook:calls-in-turn');
};
const throwsAnew: SynchronousFn = () => {
  throw new Error('bug');
};

describe('hooks that are called in turn', () => {
  afterEach(() => void vi.unstubAllGlobals());

  const promise = Promise.resolve();
  const aborted = AbortSignal.abort();
  test.each<[string, SynchronousFn, AbortSignal | undefined, unknown, string[]]>([
    ['nobody says anything', () => undefined, undefined, undefined, ['a', 'b', 'c0']],
    ['one answers', () => 5, undefined, { kind: 'returned', at: 1, value: 5 }, ['a', 'b']],
    ['one answers null', () => null, undefined, { kind: 'returned', at: 1, value: null }, ['a', 'b']],
    ['one promises', () => promise, undefined, { kind: 'returned', at: 1, value: promise }, ['a', 'b']],
    [
      'one throws',
      () => {
        throw boom;
      },
      undefined,
      { kind: 'threw', at: 1, error: boom },
      ['a', 'b'],
    ],
    ['the host gives up', () => 5, aborted, { kind: 'returned', at: 0, value: undefined }, ['a']],
  ])('come to the same in a loop and written out: %s', (_title, second, signal, stop, asked) => {
    const made = calls(second);
    for (const count of [0, ENOUGH]) {
      made.times(count);
      expect(made.once(signal)).toEqual(stop);
      expect(made.asked).toEqual(asked.map(call));
    }
  });

  test('are written out when they were called often', () => {
    const made = calls(throwsAnew);
    expect(isWrittenOut(made)).toBe(false);
    made.times(ENOUGH);
    expect(isWrittenOut(made)).toBe(true);
  });

  test('stay in a loop where they are too many', () => {
    const made = calls(throwsAnew, 31);
    made.times(ENOUGH);
    expect(isWrittenOut(made)).toBe(false);
  });

  test('stay in a loop where no code may be made from texts', () => {
    vi.stubGlobal('Function', () => {
      throw new EvalError('Code generation from strings disallowed for this context');
    });
    const made = calls(throwsAnew);
    made.times(ENOUGH);
    expect(isWrittenOut(made)).toBe(false);
    expect(made.asked).toEqual(['a', 'b'].map(call));
  });
});
