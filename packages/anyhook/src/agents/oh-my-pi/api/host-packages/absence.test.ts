import { describe, expect, test } from 'vitest';
import { absences, packageWith } from './absence.ts';

interface Absent {
  (...args: unknown[]): unknown;
  new (): object;
  readonly deeper: Absent;
}
const open = () => {
  const warned: string[] = [];
  const absent = absences((message) => warned.push(message));
  const held = packageWith({ here: 1 }, 'pi-ai', absent) as { here: number; gone: Absent; then?: unknown };
  return { warned, absent, held };
};

describe('what a package of the agent lacks here', () => {
  test('what is here is here; what is not can be mentioned, called and built upon while a module loads', () => {
    const { warned, held } = open();
    class Mine extends held.gone {
      own = 'mine';
    }
    expect([held.here, new Mine().own, typeof held.gone.deeper(), `${held.gone}`]).toEqual([
      1,
      'mine',
      'function',
      '[gone of pi-ai is not available]',
    ]);
    expect(warned).toEqual([
      'uses deeper of gone of pi-ai, which is not available here; it only returns empty values',
    ]);
  });

  test('afterwards a call is an error with its name, so that no guard goes on with nothing in its hands', () => {
    const { absent, held } = open();
    absent.settle();
    expect(() => held.gone()).toThrow('gone of pi-ai is not available');
    expect(() => new held.gone()).toThrow('gone of pi-ai is not available');
  });

  test('it is nobody who can be waited for', async () => {
    const { held } = open();
    expect(held.then).toBeUndefined();
    expect(typeof (await held.gone)).toBe('function');
  });
});
