import { describe, expect, test } from 'vitest';
import type { EventInput } from '../../canon/event.ts';
import type { Outcome } from '../../canon/outcome.ts';
import { nothingSaid } from '../../engine/synchronous.ts';
import { event } from '../../testing/event.ts';
import { type FireLayer, makeFire } from './layers.ts';

const moment: EventInput = { name: 'agent.start', payload: {} };
const quiet = nothingSaid(moment);

/** Three layers that write down what happens; the one named refuses. */
function fired(ask: () => Outcome | Promise<Outcome> | undefined, refuses = '') {
  const log: string[] = [];
  const layer = (name: string): FireLayer => ({
    name,
    before: () => (log.push(`before ${name}`), name === refuses ? quiet : undefined),
    after: (outcome) => (log.push(`after ${name}`), outcome),
    failed: () => void log.push(`failed ${name}`),
  });
  const asking = () => (log.push('ask'), ask());
  const fire = makeFire(
    [layer('outer'), { name: 'empty' }, layer('inner')],
    () => event('agent.start', {}),
    asking,
  );
  return { outcome: fire(moment), log };
}

describe('the layers around a fire', () => {
  test('are gone through from the outermost to the hooks and back', async () => {
    const { outcome, log } = fired(() => quiet);
    const all = ['before outer', 'before inner', 'ask', 'after inner', 'after outer'];
    expect(log).toEqual(all); // at once: nobody answered later
    expect(await outcome).toEqual(quiet);
    const later = fired(async () => quiet);
    expect(later.log).toEqual(all.slice(0, 3));
    await later.outcome;
    expect(later.log).toEqual(all);
  });

  test('end where one of them answers: only those above it hear of that', async () => {
    const { outcome, log } = fired(() => quiet, 'inner');
    await outcome;
    expect(log).toEqual(['before outer', 'before inner', 'after outer']);
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
    const { outcome, log } = fired(ask);
    await expect(outcome).rejects.toThrow('ours');
    expect(log.slice(3)).toEqual(['failed outer', 'failed inner']);
  });
});
