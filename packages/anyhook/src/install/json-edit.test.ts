import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { MESSY } from './fixtures/messy.ts';
import { editedJson } from './json-edit.ts';

const ENTRY = { matcher: '*', hooks: [{ type: 'command', command: 'ours' }] };
/** Comments in every position that JSON with comments allows. */
const COMMENTED: Readonly<Record<string, string>> = {
  'behind the last value': '{\n  "a": 1 // one\n}\n',
  'behind the last comma': '{\n  "a": 1, // one\n}\n',
  'on lines of their own': '{\n  // head\n  "a": 1\n  // tail\n}\n',
  'of both kinds': '{\n  "a": 1 /* one */, "b": 2 // two\n  /* three */\n}\n',
  'behind the last item of a list':
    '{\n  "hooks": {\n    "Stop": [\n      {"hooks": []} // mine\n    ] // and this\n  } // and that\n}\n',
  'with brackets and commas in them': '{\n  "a": [1] // [,}\n  /* {,] */\n}\n',
  'in an empty object': '{\n  // nothing yet\n}\n',
  'before a bracket on its line': '{\n  "a": 1, // one\n  "b": 2 }\n',
};
const TEXTS = Object.entries({ ...MESSY, ...COMMENTED });
/** An empty object with whitespace becomes `{}`, and an empty file becomes JSON. */
const MADE = new Set(['nothing at all', 'only blanks', 'an empty object with a newline']);

test.each(TEXTS)('%s: removing what was added restores the text exactly', (name, text) => {
  const hooks = ((parse(text.replace('\uFEFF', '')) ?? {}) as { hooks?: object }).hooks;
  const added = editedJson(editedJson(text, ['own'], [ENTRY]), ['own', 1], ENTRY);
  const taken = editedJson(editedJson(added, ['own', 1], undefined), ['own'], undefined);
  expect(parse(added.replace('\uFEFF', ''))).toEqual({
    ...(parse(text.replace('\uFEFF', '')) as object),
    own: [ENTRY, ENTRY],
  });
  expect(taken).toBe(MADE.has(name) ? `{}${text === '' ? '\n' : text.slice(-1)}` : text);
  if (hooks === undefined) return;
  const within = editedJson(text, ['hooks', 'Own'], [ENTRY]);
  expect(editedJson(within, ['hooks', 'Own'], undefined)).toBe(text);
});

test('a comment stays beside its value when another value comes after it', () => {
  expect(editedJson(COMMENTED['behind the last value']!, ['b'], 2)).toBe(
    '{\n  "a": 1, // one\n  "b": 2\n}\n',
  );
  expect(editedJson(COMMENTED['on lines of their own']!, ['b'], 2)).toBe(
    '{\n  // head\n  "a": 1,\n  // tail\n  "b": 2\n}\n',
  );
});

test('a comment that moved behind the removed value is kept', () => {
  expect(editedJson('{\n  "a": 1,\n  "own": 2 // theirs\n}\n', ['own'], undefined)).toBe(
    '{\n  "a": 1 // theirs\n}\n',
  );
  expect(editedJson('{ "a": 1, // theirs\n  "own": 2 }', ['own'], undefined)).toBe('{ "a": 1 // theirs\n }');
});

test('the first and the middle value are removed as cleanly as the last', () => {
  const text = '{\n  "a": 1, // one\n  "b": 2, // two\n  "c": 3 // three\n}\n';
  expect([editedJson(text, ['a'], undefined), editedJson(text, ['b'], undefined)]).toEqual([
    '{ // one\n  "b": 2, // two\n  "c": 3 // three\n}\n',
    '{\n  "a": 1, // one\n // two\n  "c": 3 // three\n}\n',
  ]);
});

test('a value is replaced in place, in the style of its file', () => {
  expect(editedJson('{"a":{"b":1},"c":2}', ['a', 'b'], [1])).toBe('{"a":{"b":[1]},"c":2}');
  expect(editedJson('{\n\t"a": 1 // one\n}\n', ['a'], { b: 1 })).toBe(
    '{\n\t"a": {\n\t\t"b": 1\n\t} // one\n}\n',
  );
});
