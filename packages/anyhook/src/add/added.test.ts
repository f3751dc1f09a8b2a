import { describe, expect, test } from 'vitest';
import { withPaths } from './added.ts';

const ADDED = ['./added/notify/hook.ts'];

describe('paths in a hooks.json', () => {
  test.each([
    ['an empty file', '', '{\n  "hookPaths": ["./added/notify/hook.ts"]\n}\n'],
    [
      'comments, order and a trailing comma',
      '{\n  // mine\n  "hookPaths": ["../shared/*.ts"], // theirs\n  "hooks": {},\n}\n',
      '{\n  // mine\n  "hookPaths": ["../shared/*.ts", "./added/notify/hook.ts"], // theirs\n  "hooks": {},\n}\n',
    ],
    [
      'a list on one line beside it',
      '{\n  "hooks": { "turn.stop": [{ "run": "true" }] }, // stays\n}\n',
      '{\n  "hooks": { "turn.stop": [{ "run": "true" }] },\n  "hookPaths": ["./added/notify/hook.ts"], // stays\n}\n',
    ],
  ])('paths are added to %s and removed again', (_, text, expected) => {
    const put = withPaths(text, 'hooks.json', [], ADDED);
    expect(put).toBe(expected);
    const back = withPaths(put, 'hooks.json', ADDED, []);
    expect(back).toBe(text === '' ? '{\n}\n' : text);
  });

  test('paths of another agent get lines of their own and are removed one by one', () => {
    const [one, two] = [
      { path: './added/a', dialect: 'opencode' },
      { path: './added/b', dialect: 'claude-code', settings: 'x.json' },
    ];
    const first = withPaths('{\n  "hooks": {}, // mine\n}\n', 'hooks.json', [], [one]);
    const both = withPaths(first, 'hooks.json', [], [two]);
    expect(both).toBe(`{
  "hooks": {},
  "hookPaths": [
    { "path": "./added/a", "dialect": "opencode" },
    { "path": "./added/b", "dialect": "claude-code", "settings": "x.json" }
  ], // mine
}
`);
    expect(withPaths(both, 'hooks.json', [two], [])).toBe(first);
    const other = withPaths(both, 'hooks.json', [one], []);
    expect(withPaths(other, 'hooks.json', [two], [])).toBe('{\n  "hooks": {}, // mine\n}\n');
  });

  test('paths are not changed if the list is not a list', () => {
    expect(() => withPaths('{ "hookPaths": 7 }', 'hooks.json', [], ADDED)).toThrow(
      '"hookPaths" is not a list',
    );
  });
});
