import { describe, expect, test } from 'vitest';
import { brief, safe, widthOf } from './safe.ts';
import { wrap } from './wrap.ts';

/* oxlint-disable no-control-regex -- control characters are what must never be left */
const RAW =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b-\u200f\ufeff]|\p{Surrogate}/u;

/** A small deterministic generator, so that a failure can be reproduced. */
function* noise(count: number): Generator<string> {
  let seed = 42;
  const next = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  const hostile = [
    '\u001b[2J',
    '\u001b]0;t\u0007',
    '\u009b31m',
    '\r',
    '\b',
    '\0',
    '\u202e',
    '\u2066',
    '\ud800',
    '\u{e0041}',
    '界',
    '👩‍💻',
    'é',
    '\n',
    '\t',
    ' ',
  ];
  for (let i = 0; i < count; i++) {
    const length = next(60);
    let text = '';
    for (let at = 0; at < length; at++)
      text +=
        next(3) === 0
          ? hostile[next(hostile.length)]
          : String.fromCharCode(next(next(4) === 0 ? 0x10000 : 0x100));
    yield text;
  }
}

describe('text on its way to a terminal', () => {
  test('terminal text has no control characters: 10,000 random texts', () => {
    let dirty = 0;
    for (const text of noise(10_000)) {
      if (RAW.test(text)) dirty++;
      for (const shown of [safe(text), brief(text, 40), ...wrap(safe(text), 30, '  ')])
        if (RAW.test(shown)) expect(shown).toBe('clean');
    }
    expect(dirty).toBeGreaterThan(5000); // otherwise the texts would prove nothing
  });

  test('terminal text shows escaped control characters', () => {
    expect(safe('a\u001b[31mred\u0007 \u202eback \u{e0041}\r\nnext\rline')).toBe(
      'a\\u001b[31mred\\u0007 \\u202eback \\u{e0041}\nnext\\u000dline',
    );
  });

  test('terminal text is cut by its display width', () => {
    expect([widthOf('界界'), widthOf('e\u0301'), widthOf('👩')]).toEqual([4, 1, 2]);
    expect(brief('界界界界', 6)).toBe('界界…');
    expect(brief('one\ntwo', 20)).toBe('one ⏎ two');
    for (const text of noise(2000)) expect(widthOf(brief(text, 20))).toBeLessThanOrEqual(20);
  });

  test('terminal text is wrapped between words, and inside a word only if necessary', () => {
    expect(wrap('  a list of words that is long', 14, '    ')).toEqual([
      '  a list of',
      '    words that',
      '    is long',
    ]);
    expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
    for (const text of noise(2000))
      for (const line of wrap(safe(text), 24, '  ')) expect(widthOf(line)).toBeLessThanOrEqual(24);
  });
});
