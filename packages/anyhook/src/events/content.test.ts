import { expect, test } from 'vitest';
import { contentText } from './content.ts';

test.each([
  ['a text', 'a text'],
  [['one', { type: 'text', text: 'two' }], 'onetwo'],
  [[{ type: 'image', data: 'x' }, { type: 'text', text: 'seen' }, { text: 5 }, null], 'seen'],
  [[], ''],
  [undefined, ''],
  [{ text: 'no list' }, ''],
])('the text of %j is %j', (content, text) => {
  expect(contentText(content)).toBe(text);
});

test('joins the texts of parts with the separator and skips parts without text', () => {
  expect(contentText([{ text: 'one' }, { type: 'image' }, { text: 'two' }], '\n')).toBe('one\ntwo');
});
