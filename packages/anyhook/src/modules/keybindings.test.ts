import { expect, test } from 'vitest';
import { KEYBINDINGS } from './keybindings.ts';

test.each([
  ['\r', 'tui.select.confirm', true],
  ['\u001b', 'tui.select.cancel', true],
  ['\u0003', 'tui.select.cancel', true],
  ['\u001b[A', 'tui.select.up', true],
  ['\u001bOB', 'tui.select.down', true],
  ['\u0001', 'tui.editor.cursorLineStart', true],
  ['\r', 'selectConfirm', true],
  ['\r', 'tui.select.cancel', false],
  ['x', 'tui.select.up', false],
  ['x', 'no.such.name', false],
])('%j is %s: %s', (data, name, is) => {
  expect(KEYBINDINGS.matches(data, name)).toBe(is);
});

test('getKeys returns the keys by name, and none for an unknown name', () => {
  expect([KEYBINDINGS.getKeys('tui.select.cancel'), KEYBINDINGS.getKeys('constructor')]).toEqual([
    ['escape', 'ctrl+c'],
    [],
  ]);
});
