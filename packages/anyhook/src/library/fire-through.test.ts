import { describe, expect, test } from 'vitest';
import type { EventInput } from '../events/event.ts';
import { type Ruling, silentOutcome } from '../events/outcome.ts';
import { event } from '../testing/event.ts';
import { type FireLayer, fireThrough } from './fire-through.ts';

const moment: EventInput = { name: 'agent.start', payload: {} };
const quiet = silentOutcome(moment);

/** Layers that record their calls. */
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
  const layers = [layer('outer'), { name: 'empty' }, layer('middle'), layer('inner')];
  return {
    log,
    fire(ask: () => Ruling | Promise<Ruling> | undefined = () => quiet) {
      log.length = 0;
      const call = { input: moment, event: event('agent.start', {}), startedMs: 0, isPaused: false };
      return fireThrough(layers, call, () => (log.push('ask'), ask()));
    },
  };
}
const DOWN = ['before outer', 'before middle', 'before inner', 'ask'];
const UP = ['after inner', 'after middle', 'after outer'];

describe('the layers around a fire', () => {
  test('layers run from the outermost to the hooks and back', async () => {
    const { fire, log } = stage();
    const outcome = fire();
    expect(log).toEqual(DOWN); // the hooks are called synchronously
    expect(await outcome).toEqual(quiet);
    expect(log).toEqual([...DOWN, ...UP]);
  });

  test('a layer that answers ends the fire, and only layers above it see the ruling', async () => {
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
  ])('layers release their resources when the engine %s', async (_, ask) => {
    const { fire, log } = stage();
    await expect(fire(ask)).rejects.toThrow('ours');
    expect(log.slice(4)).toEqual(['failed outer', 'failed middle', 'failed inner']);
  });
});
