import { expect, test } from 'vitest';
import { thrownText } from './thrown.ts';

class Hostile extends Error {
  override get message(): string {
    throw new Error('not even this');
  }
}

test.each([
  [new Error('it broke'), 'it broke'],
  ['a text', 'a text'],
  [null, 'null'],
  [Object.create(null) as unknown, 'something that cannot be shown was thrown'],
  [new Hostile(), 'something that cannot be shown was thrown'],
])('whatever is thrown has a text', (thrown, text) => {
  expect(thrownText(thrown)).toBe(text);
});
