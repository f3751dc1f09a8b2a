import { expect, test } from 'vitest';
import { ownCopy } from './own-copy.ts';

test('data is copied deeply, and functions and instances are passed unchanged', () => {
  class Client {
    #secret = 1;
    read() {
      return this.#secret;
    }
  }
  const at = new Date(0);
  const input = {
    list: [{ a: 1 }],
    map: new Map([['k', { v: 1 }]]),
    set: new Set([1]),
    at,
    bytes: new Uint8Array([1, 2]),
    client: new Client(),
    say: () => 'hello',
  };
  const made = ownCopy(input);
  made.list[0]!.a = 2;
  made.map.get('k')!.v = 2;
  made.set.add(2);
  made.at.setTime(5);
  made.bytes[0] = 9;
  expect(input).toEqual({
    ...input,
    list: [{ a: 1 }],
    map: new Map([['k', { v: 1 }]]),
    set: new Set([1]),
    at: new Date(0),
    bytes: new Uint8Array([1, 2]),
  });
  expect([made.client.read(), made.say()]).toEqual([1, 'hello']);
});

test('a cycle stays a cycle and a key called __proto__ stays a key', () => {
  const input: Record<string, unknown> = JSON.parse('{"__proto__": {"polluted": true}}') as Record<
    string,
    unknown
  >;
  input['self'] = input;
  const made = ownCopy(input);
  expect(made['self']).toBe(made);
  expect(Object.keys(made)).toEqual(['__proto__', 'self']);
  expect('polluted' in made).toBe(false);
});

test('a flat input is copied, including a key called __proto__ and symbol keys', () => {
  const secret = Symbol('secret');
  const flat = JSON.parse('{"tool": "bash", "__proto__": "a text"}') as Record<string, unknown>;
  const made = ownCopy(flat);
  made['tool'] = 'read';
  expect([flat['tool'], Object.keys(made), Object.getPrototypeOf(made)]).toEqual([
    'bash',
    ['tool', '__proto__'],
    Object.prototype,
  ]);
  const hidden = { tool: 'bash', [secret]: { shared: true } };
  expect(ownCopy(hidden)[secret]).toBeUndefined();
  const bare = Object.assign(Object.create(null) as object, { tool: 'bash' });
  expect(Object.getPrototypeOf(ownCopy(bare))).toBeNull();
});
