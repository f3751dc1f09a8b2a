import { describe, expect, test } from 'vitest';
import { runnerOf } from './fixtures/scratch.ts';
import { statusLine, statusText } from './status-line.ts';

const line = (texts: Record<string, string>, width = 80) => statusLine(new Map(Object.entries(texts)), width);

describe('the status line', () => {
  test('the status line is sorted by key and joined by one space', () => {
    expect(line({ b: 'two', a: 'one', c: '' })).toBe('one two');
  });

  test('the status line is empty if nothing was set', () => {
    expect(line({})).toBe('');
  });

  test.each([
    ['a\r\nb\tc', 'a b c'],
    ['  a    b  ', 'a b'],
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007shown', 'shown'],
    ['\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['\u009b2Jgone', 'gone'],
    ['a\u0008b', 'a b'],
    ['evil\u202etxt.exe', 'eviltxt.exe'],
    ['zero\u200bwidth', 'zerowidth'],
  ])('%j is shown as %j', (text, shown) => {
    expect(statusText(text)).toBe(shown);
  });

  test.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['日本語', 6, '日本語'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
    ['👍👍👍', 5, '👍👍…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
  ])('%s in %d columns is %s', (text, width, shown) => {
    expect(line({ a: text }, width)).toBe(shown);
  });

  test('status text of a hook reaches the host without control characters, and undefined removes it', async () => {
    const set: unknown[] = [];
    const ui = {
      select: async () => undefined,
      confirm: async () => false,
      input: async () => undefined,
      notify() {},
      status: (...args: unknown[]) => void set.push(args),
    };
    const { runner } = runnerOf(
      [
        (pi) =>
          pi.on('session_start', (_event, ctx) => {
            ctx.ui.setStatus('k', '\u001b[2Jhi\nthere');
            ctx.ui.setStatus('k', undefined);
          }),
      ],
      { services: { ui } },
    );
    await runner.emit({ type: 'session_start' });
    expect(set).toEqual([
      ['k', 'hi there'],
      ['k', undefined],
    ]);
  });
});
