import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePattern } from './pattern.ts';

describe('a pattern', () => {
  const table: [string, string, boolean, 'words' | 're2' | 'limited'][] = [
    ['Bash', 'Bash', true, 'words'],
    ['Bash', 'MyBashTool', true, 'words'],
    ['Bash', 'bash', false, 'words'],
    ['Edit|Write', 'MultiEdit', true, 'words'],
    ['mcp__a-b', 'mcp__a-b__c', true, 'words'],
    ['^(Edit|Write)$', 'MultiEdit', false, 're2'],
    ['mcp__.*__write', 'mcp__fs__write_file', true, 're2'],
    ['rm\\s+-rf', 'rm\u00a0-rf', true, 're2'],
    ['rm\\s+-rf', 'rm\v-rf', true, 're2'],
    ['a.b', 'a\rb', false, 're2'],
    ['^.$', '😀', false, 're2'],
    ['^..$', '😀', true, 're2'],
    ['[^\\s]', '\u3000', false, 're2'],
    ['\\u0041', 'A', true, 're2'],
    ['(?<name>a)b', 'ab', true, 're2'],
    ['', 'anything', true, 're2'],
    ['^(?!Bash$)', 'Bash', false, 'limited'],
    ['^(?!Bash$)', 'Read', true, 'limited'],
    ['(?<=a)b', 'ab', true, 'limited'],
    ['(a)\\1', 'aa', true, 'limited'],
    ['\\p{L}', 'a', false, 'limited'],
    ['\\z', 'z', true, 'limited'],
    ['\\Qa.b\\E', 'a.b', false, 'limited'],
    ['[[:alpha:]]', 'b', false, 're2'],
    ['\\x{2}', 'xx', true, 'limited'],
    ['\\a', 'a', true, 'limited'],
    ['[^]', '\n', true, 'limited'],
    ['[a-\\s]', '-', true, 'limited'],
  ];
  test.each(table)('%s against %j gives %s with the engine %s', (source, subject, found, engine) => {
    const pattern = compilePattern(source);
    expect([pattern.test(subject), pattern.engine, pattern.source]).toEqual([found, engine, source]);
    expect(new RegExp(source).test(subject)).toBe(found);
  });

  test('any pattern behaves as in JavaScript on any subject', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      'B',
      '-',
      '_',
      ' ',
      '.',
      '\\.',
      '\\s',
      '\\S',
      '\\w',
      '\\W',
      '\\d',
      '\\D',
      '\\b',
      '\\B',
      '^',
      '$',
      '|',
      '[ab]',
      '[^ab]',
      '[\\s]',
      '[^\\s-]',
      '[a-c]',
      '[\\w-]',
      '[.]',
      '[[]',
      '[\\]]',
      '\\/',
      '\\-',
      '\\v',
      '\\x41',
      '\\u2028',
      '\\p',
      '\\Q',
      '\\E',
      '\\z',
      '\\A',
      '\\0',
      '\\a',
      '\\_',
      '{',
      '}',
      ']',
      'x{2}',
      'b{1,2}',
      'a{,2}',
      '(?=a)',
      '(?<!b)',
    );
    const group = fc
      .tuple(fc.constantFrom('(', '(?:', '(?<n>'), fc.array(piece, { maxLength: 3 }))
      .map(([open, inner]) => `${open}${inner.join('')})`);
    const times = fc.constantFrom('', '', '', '*', '+', '?', '*?', '{2}');
    const source = fc
      .array(fc.tuple(fc.oneof({ weight: 5, arbitrary: piece }, group), times), {
        minLength: 1,
        maxLength: 5,
      })
      .map((parts) => parts.map((part) => part.join('')).join(''));
    const subject = fc.string({
      unit: fc.constantFrom(
        ...'abBxA-_ .[]{}/zQE09',
        '\n',
        '\r',
        '\v',
        '\0',
        '\u00a0',
        '\u2028',
        '\ufeff',
        'é',
        '😀',
      ),
      maxLength: 6,
    });
    fc.assert(
      fc.property(source, subject, (text, over) => {
        let native: RegExp;
        try {
          native = new RegExp(text);
        } catch {
          expect(() => compilePattern(text)).toThrow(SyntaxError);
          return;
        }
        const pattern = compilePattern(text);
        // Limited means native.
        if (pattern.engine !== 'limited') expect(pattern.test(over)).toBe(native.test(over));
      }),
      { numRuns: Number(process.env['RUNS'] ?? 3_000) },
    );
  });
});

describe('a pattern that would hang', () => {
  test.each(['^(a+)+$', '^(a|a)*$', '^(\\w+\\s?)*$', '(a*)*b', '(.*a){20}$'])(
    '%s runs in linear time',
    (source) => {
      const pattern = compilePattern(source);
      const started = performance.now();
      pattern.test(`${'a'.repeat(20_000)}!`);
      expect([pattern.engine, performance.now() - started < 10_000]).toEqual(['re2', true]);
    },
  );

  test('JavaScript alone would hang on this pattern', () => {
    const naive = () => runInNewContext("/^(a+)+$/.test('a'.repeat(40) + '!')", {}, { timeout: 300 });
    expect(naive).toThrow('timed out');
    expect(compilePattern('^(a+)+$').test(`${'a'.repeat(40)}!`)).toBe(false);
  });

  test('a pattern without a linear form times out and counts as a match, because skipping a guard is worse than running it needlessly', () => {
    const pattern = compilePattern('^(?=(a+)+$)b');
    const started = performance.now();
    expect([pattern.engine, pattern.test(`${'a'.repeat(40)}!`)]).toEqual(['limited', true]);
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(pattern.test('c')).toBe(false);
  });

  test('times out only once per subject', () => {
    const pattern = compilePattern('^(?=(a+)+$)b');
    const subject = `${'a'.repeat(40)}!`;
    pattern.test(subject);
    const started = performance.now();
    for (let i = 0; i < 1000; i++) pattern.test(subject);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('what is no pattern', () => {
  test.each(['(', '[', 'a**', '(?<n', 'x{2,1}'])('rejects %s with a reason', (source) => {
    expect(() => compilePattern(source)).toThrow(SyntaxError);
  });

  test('rejects a pattern that is too long', () => {
    expect(() => compilePattern('a'.repeat(513))).toThrow('the pattern has 513 characters, the limit is 512');
    expect(compilePattern('a'.repeat(512)).engine).toBe('words');
  });
});
