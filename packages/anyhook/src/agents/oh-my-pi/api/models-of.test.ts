import { describe, expect, test } from 'vitest';
import { modelsOf } from './loader.ts';

const SMALL = { provider: 'acme', id: 'small' };
const LARGE = { provider: 'acme', id: 'large' };

describe('the models that a module is told about', () => {
  test('are those of the host, asked anew each time', () => {
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

  test('are the one in use where the host knows no others, and none without the service', () => {
    expect(modelsOf({ model: { current: () => SMALL } }).modelRegistry?.getAvailable()).toEqual([SMALL]);
    const none = modelsOf({});
    expect([none.model(), none.modelRegistry]).toEqual([undefined, undefined]);
  });
});
