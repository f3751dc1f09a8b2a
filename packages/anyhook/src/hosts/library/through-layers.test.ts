import { describe, expect, test } from 'vitest';
import type { EventInput } from '../../canon/event.ts';
import type { Ruling } from '../../canon/outcome.ts';
import { nothingSaid } from '../../engine/synchronous.ts';
import { event } from '../../testing/event.ts';
import { AwakeLayers, type FireLayer, makeFire } from './through-layers.ts';

const moment: EventInput = { name: 'agent.start', payload: {} };
const quiet = nothingSaid(moment);
const spoken: Ruling = { ...quiet, said: [{ by: 'hook', to: 'person', text: 'hello' }] };

/** Layers that write down what happens to them. */
function stage(over: Readonly<Record<string, Partial<FireLayer>>> = {}) {
  const log: string[] = [];
  const layer = (name: string): FireLayer => {
    const { before, after, ...more } = over[name] ?? {};
    return {
      name,
      before: (call) => (log.push(`before ${name}`), before?.(call)),
      after: (outcome, call) => (log.push(`after ${name}`), after?.(outcome, call) ?? outcome),
      failed: () => void log.push(`failed ${name}`),
      ...more,
    };
  };
  const awake = new AwakeLayers();
  let answer: () => Ruling | Promise<Ruling> | undefined = () => quiet;
  const fire = makeFire(
    [layer('outer'), { name: 'empty' }, layer('middle'), layer('inner')],
    awake,
    () => event('agent.start', {}),
    () => (log.push('ask'), answer()),
  );
  return {
    log,
    awake,
    fire(ask: typeof answer = () => quiet) {
      log.length = 0;
      answer = ask;
      return fire(moment);
    },
  };
}
const DOWN = ['before outer', 'before middle', 'before inner', 'ask'];
const UP = ['after inner', 'after middle', 'after outer'];

describe('the layers around a fire', () => {
  test('are gone through from the outermost to the hooks and back', async () => {
    const { fire, log } = stage();
    const outcome = fire();
    expect(log).toEqual([...DOWN, ...UP]); // at once: nobody answered later
    expect(await outcome).toEqual(quiet);
    const later = fire(async () => quiet);
    expect(log).toEqual(DOWN);
    await later;
    expect(log).toEqual([...DOWN, ...UP]);
  });

  test('end where one of them answers: only those above it hear of that', async () => {
    const { fire, log } = stage({ inner: { before: () => quiet } });
    await fire();
    expect(log).toEqual(['before outer', 'before middle', 'before inner', 'after middle', 'after outer']);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('ours');
      },
    ],
    ['rejects', () => Promise.reject(new Error('ours'))],
  ])('let go of what they hold when the engine itself %s', async (_, ask) => {
    const { fire, log } = stage();
    await expect(fire(ask)).rejects.toThrow('ours');
    expect(log.slice(4)).toEqual(['failed outer', 'failed middle', 'failed inner']);
  });
});

describe('a layer that rests', () => {
  const RESTED = ['before outer', 'before inner', 'ask', 'after inner', 'after outer'];

  test('is passed by where no hook says anything, until the layers are woken', async () => {
    let rests = true;
    const { fire, log, awake } = stage({ middle: { rests: () => rests } });
    await fire();
    expect(log).toEqual(RESTED);
    await fire(() => undefined);
    expect(log).toEqual(RESTED);
    await fire(async () => quiet);
    expect(log).toEqual(RESTED);
    rests = false;
    await fire();
    expect(log).toEqual(RESTED);
    awake.wake();
    await fire();
    expect(log).toEqual([...DOWN, ...UP]);
  });

  test('hears of what a hook says, at once or later', async () => {
    const { fire, log } = stage({ middle: { rests: () => true } });
    for (const ask of [() => spoken, async () => spoken]) {
      await fire(ask);
      expect(log).toEqual([...RESTED.slice(0, 3), ...UP]);
    }
  });

  test('hears of what a layer below it says', async () => {
    const { fire, log } = stage({ middle: { rests: () => true }, inner: { after: () => spoken } });
    expect(await fire()).toMatchObject({ forPerson: ['hello'] });
    expect(log).toEqual([...RESTED.slice(0, 3), ...UP]);
  });

  test('that is woken by a hook hears of the end of that very fire', async () => {
    let rests = true;
    const { fire, log, awake } = stage({ middle: { rests: () => rests } });
    await fire(() => {
      rests = false;
      awake.wake();
      return quiet;
    });
    expect(log).toEqual([...RESTED.slice(0, 3), ...UP]);
  });
});
