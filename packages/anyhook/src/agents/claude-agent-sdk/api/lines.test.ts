import { expect, test } from 'vitest';
import { Lines } from './lines.ts';

function reading(maxBytes: number) {
  const [lines, giants]: [string[], [string, number][]] = [[], []];
  const reader = new Lines(maxBytes, {
    onLine: (line) => lines.push(line),
    onGiant: (head, bytes) => giants.push([head, bytes]),
  });
  return { reader, lines, giants };
}

test('lines are complete for any split into chunks, and empty lines are skipped', () => {
  const text = 'one\n\ntwö 🪝\r\nthree\nrest';
  const bytes = Buffer.from(text);
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const { reader, lines } = reading(1000);
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    expect([lines, reader.rest]).toEqual([['one', 'twö 🪝\r', 'three'], 'rest']);
  }
});

test('a text chunk works like bytes', () => {
  const { reader, lines } = reading(1000);
  reader.push('grü');
  reader.push('ße\n');
  expect(lines).toEqual(['grüße']);
});

test('only the start of a line beyond the limit is kept, however long it grows, and the next line is read', () => {
  const { reader, lines, giants } = reading(5000);
  for (let chunk = 0; chunk < 1000; chunk++) reader.push('x'.repeat(1000));
  expect(reader.rest).toHaveLength(1024);
  reader.push('\nnext\n');
  expect([lines, giants]).toEqual([['next'], [['x'.repeat(1024), 1_000_000]]]);
});

test('a line of exactly the maximum length is read', () => {
  const { reader, lines, giants } = reading(10);
  reader.push(`${'x'.repeat(10)}\n${'y'.repeat(11)}\n`);
  expect([lines, giants]).toEqual([['x'.repeat(10)], [['y'.repeat(11), 11]]]);
});
