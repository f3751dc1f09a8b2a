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
  [Object.create(null) as unknown, 'an unprintable value was thrown'],
  [new Hostile(), 'an unprintable value was thrown'],
])('returns a text for every thrown value', (thrown, text) => {
  expect(thrownText(thrown)).toBe(text);
});
