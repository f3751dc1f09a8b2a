import fc from 'fast-check';
import { parse as looseParse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { readDocument, readFencedJson, readStrictJson, looksLikeJson } from './document.ts';
import { show } from './problems.ts';

const read = (text: string) => readDocument(text, 'hooks.json');
const faults = (text: string) => read(text).problems.map(show);

describe('a settings document', () => {
  test('a settings document may contain comments, trailing commas, CRLF and one byte order mark', () => {
    const { value, problems } = read(
      '\uFEFF{\r\n  // why\r\n  "a": [1, 2,], /* b */\r\n  "c": { "d": null, },\r\n}\r\n',
    );
    expect({ value, problems }).toEqual({ value: { a: [1, 2], c: { d: null } }, problems: [] });
  });

  test('reports the position of every key and value', () => {
    const document = read('{\n  "a": [\n    1, { "b":   true }\n  ]\n}');
    expect([document.at([]), document.at(['a']), document.at(['a', 1]), document.at(['a', 1, 'b'])]).toEqual([
      { line: 1, column: 1 },
      { line: 2, column: 8 },
      { line: 3, column: 8 },
      { line: 3, column: 17 },
    ]);
    expect(document.keyAt(['a', 1, 'b'])).toEqual({ line: 3, column: 10 });
  });

  test('returns the position of the nearest parent for a missing path', () => {
    const document = read('{\n  "a": { "b": 1 }\n}');
    expect(document.at(['a', 'x', 'y'])).toEqual({ line: 2, column: 8 });
    expect(document.at(['toString'])).toEqual({ line: 1, column: 1 });
  });

  test.each([
    ['a truncated file', '{"a": [1, {"b"', '1:15: expected a colon, found the end of the text'],
    ['unterminated string', '{"a": "b', '1:7: unterminated string'],
    ['unterminated comment', '{} /* b', '1:4: unterminated comment'],
    ['stray text behind it', '{"a": 1}\nx', '2:1: unexpected text: "x"'],
    ['a second document', '{"a": 1}\n{"b": 2}', '2:1: unexpected second document'],
    ['a missing comma', '{"a": 1 "b": 2}', '1:9: expected a comma or a closing brace, found "\\"b\\""'],
    ['a bare key', '{a: 1}', '1:2: expected a key in double quotes, found "a"'],
    ['a lone comma', '{,}', '1:2: expected a key in double quotes, found ","'],
    ['a hole in a list', '[1,,2]', '1:4: expected a value, found ","'],
    ['single quotes', "{'a': 1}", '1:2: expected a key in double quotes'],
    ['a leading zero', '[01]', '1:3: expected a comma or a closing bracket, found "1"'],
    ['nothing', ' \n', '2:1: expected a value, found the end of the text'],
  ])('rejects a document with %s and reports the position', (_, text, problem) => {
    const { value, problems } = read(text);
    expect(value).toBeUndefined();
    expect(problems.map(show)).toEqual([expect.stringContaining(`hooks.json:${problem}`)]);
    expect(problems[0]!.code).toBe('syntax');
  });

  test('the tolerant parser that it replaced kept half of a truncated file', () => {
    const text = '{"first": 1, "guard": {"run": "./gu';
    expect(looseParse(text)).toEqual({ first: 1, guard: { run: './gu' } });
    expect(read(text).value).toBeUndefined();
  });

  test('rejects a document with a duplicate key and reports both positions, even with an escaped spelling', () => {
    expect(read('{\n "a": 1,\n "\\u0061": 2,\n "b": { "c": 1, "c": 1 }\n}').value).toBeUndefined();
    expect(faults('{\n "a": 1,\n "\\u0061": 2,\n "b": { "c": 1, "c": 1 }\n}')).toEqual([
      expect.stringContaining('hooks.json:3:2: duplicate key "a", first at 2:2'),
      expect.stringContaining('hooks.json:4:17: duplicate key "c", first at 4:9'),
    ]);
  });

  test('keeps every key as its own, whatever its name, and changes no prototype', () => {
    const text = '{"__proto__": {"polluted": 1}, "constructor": 2, "toString": 3, "hasOwnProperty": 4}';
    const value = read(text).value as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString', 'hasOwnProperty']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('polluted' in value).toBe(false);
    expect('polluted' in (looseParse(text) as object)).toBe(true); // the prototype must not be reachable
  });

  test('accepts 64 levels of nesting and rejects more', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(read(nested(64)).problems).toEqual([]);
    expect(read(nested(65)).problems.map(({ code }) => code)).toEqual(['too-deep']);
    expect(read('['.repeat(1_000_000)).problems.map(({ code }) => code)).toEqual(['too-deep']);
  });

  test('accepts up to 1 MiB and rejects more', () => {
    const sized = (bytes: number) => `"${'é'.repeat((bytes - 2) / 2)}"`;
    expect(read(sized(1024 * 1024)).problems).toEqual([]);
    expect(read(sized(1024 * 1024 + 2)).problems.map(({ code }) => code)).toEqual(['file-too-large']);
  });

  test('rejects a document truncated at any byte before its end', () => {
    const text = '{"hooks": {"tool.before": [{"match": "shell", "run": "x"}, {"run": ["a", 1.5e3, true]}]}} ';
    for (let length = 0; length < text.length - 1; length++)
      expect(read(text.slice(0, length)).value, text.slice(0, length)).toBeUndefined();
    expect(read(text.slice(0, -1)).value).toEqual(JSON.parse(text));
  });
});

describe('what a hook printed', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['\uFEFF {"a":1}\r\n\r\n', { a: 1 }],
    ['[]', []],
    ['"text"', 'text'],
    ['{"constructor":1}', { constructor: 1 }],
  ])('%j is read as a document', (text, value) => {
    expect(readStrictJson(text)).toEqual({ ok: true, value });
  });

  test.each([
    [
      '{"a":1',
      'partial JSON: expected a comma or a closing brace, found the end of the text (line 1, column 7)',
    ],
    ['{"a":"b', 'partial JSON: unterminated string (line 1, column 6)'],
    ['', 'partial JSON: expected a value, found the end of the text (line 1, column 1)'],
    ['{}\n{}', 'unexpected second document (line 2, column 1)'],
    ['{} done', 'unexpected text: "done" (line 1, column 4)'],
    ['{"a":1,}', 'trailing commas are not allowed in JSON (line 1, column 8)'],
    ['{} // x', 'comments are not allowed in JSON (line 1, column 4)'],
    ['{"a":1,"a":2}', 'duplicate key "a", first at 1:2 (line 1, column 8)'],
    ['{"a":{"__proto__":1}}', 'the key "__proto__" is not allowed (line 1, column 7)'],
    ['{"a":{"__pr\\u006fto__":1}}', 'the key "__proto__" is not allowed (line 1, column 7)'],
    ['[1e400]', 'number out of range (line 1, column 2)'],
    ['['.repeat(65), 'nested more than 64 levels deep (line 1, column 65)'],
    ['\uFEFF\uFEFF{}', 'expected a value, found "\uFEFF" (line 1, column 1)'],
    ['{"a":"\u0001"}', 'unescaped control character in a string (line 1, column 6)'],
  ])('%j is rejected with a reason', (text, why) => {
    expect(readStrictJson(text)).toEqual({ ok: false, why });
  });

  test('reads hook output exactly like JSON.parse, or rejects it', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.json({ maxDepth: 3 }),
        fc.constantFrom(
          '{',
          '}',
          '[',
          ']',
          ',',
          ':',
          '"',
          '\\',
          '\n',
          '\r',
          '/',
          '-',
          '0',
          '1.',
          'e',
          'null',
          '\u2028',
        ),
        fc.string({ unit: 'binary', maxLength: 4 }),
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          pieces.map((p) => p.join('')),
        ),
        (text) => {
          const read = readStrictJson(text);
          let parsed: { value: unknown } | undefined;
          try {
            parsed = { value: JSON.parse(text) };
          } catch {}
          if (read.ok) expect(parsed).toEqual({ value: read.value });
          else if (parsed !== undefined && !text.startsWith('\uFEFF'))
            expect(read.why).toMatch(/duplicate key|__proto__|out of range|levels deep/);
        },
      ),
      { numRuns: Number(process.env['RUNS'] ?? 5_000) },
    );
  });

  test('text looks like JSON if it starts like an object or a list', () => {
    expect(['{', ' \r\n[', '\uFEFF{', 'x {', '"a"', ''].map(looksLikeJson)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

test("a model's JSON may be inside of one code fence, but not inside of other text", () => {
  const read = (text: string) => {
    const found = readFencedJson(text);
    return found.ok ? found.value : 'none';
  };
  expect(
    [
      '{"a":1}',
      '```\n{"a":1}\n```',
      ' \r\n```json\r\n{"a":\n1}\r\n``` \n',
      'Sure: ```json\n{"a":1}\n```',
      '```json\n{"a":1}\n``` Done.',
      '```js\n{"a":1}\n```',
    ].map(read),
  ).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }, 'none', 'none', 'none']);
});
