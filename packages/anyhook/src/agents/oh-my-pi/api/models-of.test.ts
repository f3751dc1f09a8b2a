import { describe, expect, test } from 'vitest';
import { modelsOf } from './loader.ts';

const SMALL = { provider: 'acme', id: 'small' };
const LARGE = { provider: 'acme', id: 'large' };

describe('the models of a module', () => {
  test('a module sees the models of the host, read on each call', () => {
    let current: unknown = SMALL;
    const { model, modelRegistry } = modelsOf({
      model: { current: () => current, all: () => [SMALL, LARGE] },
    });
    expect(model()).toBe(SMALL);
    current = LARGE;
    expect(model()).toBe(LARGE);
    expect(modelRegistry?.getAll()).toEqual([SMALL, LARGE]);
    expect(modelRegistry?.find('acme', 'large')).toBe(LARGE);
    expect(modelRegistry?.find('acme', 'huge')).toBeUndefined();
  });

  test('a module sees only the current model if the host lists no others, and none without the service', () => {
    expect(modelsOf({ model: { current: () => SMALL } }).modelRegistry?.getAvailable()).toEqual([SMALL]);
    const none = modelsOf({});
    expect([none.model(), none.modelRegistry]).toEqual([undefined, undefined]);
  });
});
