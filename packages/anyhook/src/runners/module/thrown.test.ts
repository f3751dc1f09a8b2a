import { expect, test } from 'vitest';
import { describeThrown } from './thrown.mjs';

const trap = () => {
  throw new Error('user code ran again');
};
const hostile = {
  get message(): string {
    return trap();
  },
  toString: trap,
  [Symbol.toPrimitive]: trap,
};
class Sly extends Error {
  override get message(): string {
    return trap();
  }
}

test.each([
  ['null', null, 'threw null'],
  ['undefined', undefined, 'threw undefined'],
  ['a string', 'no', 'no'],
  ['an empty string', '', 'threw an empty string'],
  ['a number', 7, 'threw 7'],
  ['a symbol', Symbol('x'), 'threw Symbol(x)'],
  ['a bigint', 7n, 'threw 7'],
  ['a function', trap, 'threw a function'],
  ['an object with a message', { message: 'plain' }, 'plain'],
  ['an object without', {}, 'threw an object without a message'],
  ['an error without a message', new TypeError(''), 'TypeError'],
  ['a DOMException', new DOMException('gone', 'AbortError'), 'gone'],
  ['an object whose getters throw', hostile, 'threw an object without a message'],
  ['an error whose class hides the message', new Sly(), 'Error'],
  [
    'a proxy',
    new Proxy({}, { get: trap, getOwnPropertyDescriptor: trap, getPrototypeOf: trap }),
    'threw an object without a message',
  ],
  [
    'a proxy of an error',
    new Proxy(new Error('x'), { get: trap, getPrototypeOf: trap }),
    'threw an object without a message',
  ],
  [
    'an heir of a proxy',
    Object.create(new Proxy({}, { getOwnPropertyDescriptor: trap })),
    'threw an object without a message',
  ],
])('%s is described without running code of the thrower', (_, thrown, message) => {
  expect(describeThrown(thrown).message).toBe(message);
});

test('control: the usual way runs that code', () => {
  expect(() => (hostile as unknown as Error).message).toThrow('user code ran again');
  expect(() => String(hostile)).toThrow('user code ran again');
});

test('an error keeps its stack', () => {
  const error = new Error('here');
  expect(describeThrown(error)).toEqual({ message: 'here', stack: error.stack });
});
