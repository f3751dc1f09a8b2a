import { describe, expect, test } from 'vitest';
import { openDepthLimit } from './depth-limit.ts';

describe('a family of hooks inside hooks', () => {
  test('draws on one budget, however many processes it has, and the first level is free', () => {
    const first = openDepthLimit({});
    expect(Array.from({ length: 60 }, () => first.spend())).toEqual(Array(60).fill(''));
    const [a, b] = [openDepthLimit(first.env), openDepthLimit(first.env)];
    const spent = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? a : b).spend());
    expect(spent.filter((why) => why === '')).toHaveLength(50);
    expect(spent.at(50)).toBe('hooks inside hooks have run 50 times; at most 50 may');
    first.close();
  });

  test('is three levels deep, and no number from outside makes it deeper or starts it anew', () => {
    const deep = (depth: string) => openDepthLimit({ ANYHOOK_DEPTH: depth, ANYHOOK_LINEAGE: '../../etc' });
    expect(deep('3').spend()).toBe('hooks inside hooks, 3 levels deep; at most 3 run');
    expect(deep('1e9').spend()).not.toBe('');
    for (const odd of ['-5', 'NaN', '', 'x']) expect(deep(odd).env['ANYHOOK_DEPTH']).toBe('1');
    expect(deep('1').env['ANYHOOK_LINEAGE']).toMatch(/^[0-9a-f]{32}$/);
  });
});
