import { describe, expect, test } from 'vitest';
import { allow, ask, cancel, context, deny } from './effects.ts';
import { isStricter, SHADOW, wouldHave } from './would-have.ts';

const held = (...effects: Parameters<typeof ignored>[0][]) => effects.map((effect) => ignored(effect));
const ignored = (
  effect:
    | ReturnType<typeof deny>
    | ReturnType<typeof allow>
    | ReturnType<typeof ask>
    | ReturnType<typeof cancel>
    | ReturnType<typeof context>,
) => ({ effect, why: SHADOW });

describe('what hooks in shadow would have done', () => {
  test('is the strictest refusal with the reasons of the hooks that wanted it', () => {
    const runs = [
      { hook: 'a', ignored: held(ask('sure?')) },
      { hook: 'b', ignored: held(deny('no'), context('by the way')) },
      { hook: 'c', ignored: held(cancel('not now')) },
    ];
    expect(wouldHave(runs)).toEqual({
      verdict: 'deny',
      reasons: [
        { by: 'b', text: 'no' },
        { by: 'c', text: 'not now' },
      ],
    });
  });

  test('is undefined without refusals, or if a refusal was ignored for another reason', () => {
    expect(wouldHave([{ hook: 'a', ignored: held(allow(), context('x')) }])).toBe(undefined);
    expect(wouldHave([{ hook: 'a', ignored: [{ effect: deny('no'), why: 'may not be changed' }] }])).toBe(
      undefined,
    );
    expect(wouldHave([{ hook: 'a' }])).toBe(undefined);
  });

  test('counts as stricter only if it exceeds the actual verdict', () => {
    const would = wouldHave([{ hook: 'a', ignored: held(ask('sure?')) }])!;
    expect([isStricter(would, 'none'), isStricter(would, 'ask'), isStricter(would, 'deny')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
