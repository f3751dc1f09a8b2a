import { expect, test } from 'vitest';
import { KeepAlive } from './keep-alive.ts';

test('says only what is new, and nothing to a part that has no such word', () => {
  const said: string[] = [];
  const pipe = { ref: () => said.push('ref'), unref: () => said.push('unref') };
  const life = new KeepAlive(() => [pipe, {}, null, undefined]);
  life.hold();
  life.release();
  life.release();
  life.hold();
  expect(said).toEqual(['unref', 'ref']);
});
