import { expect, test } from 'vitest';
import type { EventName } from '../events/events.ts';
import { type Ruling, silentOutcome } from '../events/outcome.ts';
import { event } from '../testing/index.ts';
import { additionsIn, repeatsAddition } from './additions.ts';

const again = (name: EventName, key: string, [was, left, shown, wanted]: readonly unknown[]): boolean =>
  repeatsAddition(
    { shown: { [key]: was }, wanted: { [key]: left } },
    { shown: { [key]: shown }, wanted: { [key]: wanted } },
    name,
  );

test.each<[string, EventName, string, readonly unknown[], boolean]>([
  ['another part behind', 'prompt.submit', 'parts', [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4]], true],
  ['another text behind', 'prompt.submit', 'prompt', ['a', 'a\n1', 'a\n1\nb', 'a\n1\nb\n2'], true],
  ['another part of a command', 'command.before', 'parts', [[], [2], [2, 3], [4, 2, 3]], true],
  ['text taken away', 'prompt.submit', 'prompt', ['a', 'a 1', 'a 1 secret', 'a 1'], false],
  ['text put in its place', 'prompt.submit', 'prompt', ['a', 'a 1', 'a 1 secret', 'a 1 ***'], false],
  ['a part taken out', 'prompt.submit', 'parts', [[1], [1, 2], [1, 2, 3], [1, 2]], false],
  ['an addition though what it left is gone', 'prompt.submit', 'prompt', ['a', 'a 1', 'b', 'b 2'], false],
  ['an addition of one who added nothing', 'prompt.submit', 'prompt', ['a', 'a', 'a b', 'a b 2'], false],
  ['an addition to what a tool gets', 'tool.before', 'input', ['a', 'a 1', 'a 1 b', 'a 1 b 2'], false],
])('%s on %s counts as a repeated addition: %s', (_title, name, key, wish, expected) => {
  expect(again(name, key, wish)).toBe(expected);
});

test.each<[string, readonly unknown[], readonly unknown[], readonly string[] | undefined]>([
  ['appended to its only text', ['a'], ['a\nmind the gap'], ['mind the gap']],
  ['put before it', ['a'], ['note: a'], ['note:']],
  ['appended to texts that were joined', ['a', 'b'], ['a\nb\nmore'], ['more']],
  ['put in place of a text', ['a secret'], ['a ***'], undefined],
  ['appended where a text was taken out', ['a', 'secret'], ['a\nmore'], undefined],
])('passes text that is %s of a result as context: %#', (_, before, after, expected) => {
  const parts = (texts: readonly unknown[]) => texts.map((text) => ({ type: 'text', text }));
  const about = event('tool.after', { tool: 'shell', input: {}, content: parts(before) });
  const ruling = {
    ...silentOutcome(about),
    changed: [{ by: 'h', at: 'content' }],
    payload: { ...about.payload, content: parts(after) },
  } as unknown as Ruling;
  expect(additionsIn(ruling, about)?.map(({ text }) => text)).toEqual(expected);
});
