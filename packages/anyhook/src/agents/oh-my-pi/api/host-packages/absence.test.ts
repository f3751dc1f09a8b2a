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

describe('members that a package lacks here', () => {
  test('available members work, and missing ones can be mentioned, called and extended while a module loads', () => {
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

  test('after loading, a call of a missing member throws with its name, so that no guard continues without a result', () => {
    const { absent, held } = open();
    absent.settle();
    expect(() => held.gone()).toThrow('gone of pi-ai is not available');
    expect(() => new held.gone()).toThrow('gone of pi-ai is not available');
  });

  test('a missing member is not a thenable', async () => {
    const { held } = open();
    expect(held.then).toBeUndefined();
    expect(typeof (await held.gone)).toBe('function');
  });
});
