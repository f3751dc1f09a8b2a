import { expect, test } from 'vitest';
import { withUndo } from './undo-switch.ts';

test.each([
  ['an empty file', '', '{\n  "undo": true\n}\n'],
  [
    'comments and a trailing comma',
    '{\n  // mine\n  "hooks": {},\n}\n',
    '{\n  // mine\n  "hooks": {},\n  "undo": true,\n}\n',
  ],
])('undo is switched on in %s, and off again', (_, before, on) => {
  const text = withUndo(before, 'hooks.json', 'on');
  expect(text).toBe(on);
  expect(withUndo(on, 'hooks.json', 'on')).toBeUndefined();
  const off = withUndo(on, 'hooks.json', 'off');
  expect(off).not.toContain('undo');
  expect(withUndo(off!, 'hooks.json', 'off')).toBeUndefined();
});

test('settings of undo are on, and a false is off', () => {
  expect(withUndo('{ "undo": { "outside": true } }', 'hooks.json', 'on')).toBeUndefined();
  expect(withUndo('{ "undo": false }', 'hooks.json', 'on')).toContain('"undo": true');
});
