import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { LONGEST_LINE, readLines, toJson } from './wire.mjs';

const heard = async (chunks: (string | Buffer)[]) => {
  const lines: string[] = [];
  let overflows = 0;
  const stream = new PassThrough();
  readLines(
    stream,
    (line) => lines.push(line),
    () => overflows++,
  );
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await new Promise((ended) => stream.on('end', ended));
  return { lines, overflows };
};

test('joins lines however they were split, also within a character', async () => {
  const bytes = Buffer.from('{"a":"é"}\nsecond\n\nrest');
  for (const cut of [1, 2, 3, 7])
    expect(
      await heard(
        Array.from({ length: Math.ceil(bytes.length / cut) }, (_, n) =>
          bytes.subarray(n * cut, (n + 1) * cut),
        ),
      ),
    ).toEqual({
      lines: ['{"a":"é"}', 'second', ''],
      overflows: 0,
    });
});

test('detects a line without end', async () => {
  const { overflows } = await heard(Array.from({ length: 18 }, () => 'x'.repeat(LONGEST_LINE / 16)));
  expect(overflows).toBeGreaterThan(0);
});

test.each([
  [{ a: () => 1 }, "'a' is function"],
  [[Symbol('x')], "'0' is symbol"],
  [{ deep: { map: new Map() } }, "'map' is a Map"],
  [{ later: Promise.resolve() }, "'later' is a Promise"],
])('%o cannot be sent, which JSON alone would not report', (value, message) => {
  expect(() => JSON.stringify(value)).not.toThrow();
  expect(() => toJson(value)).toThrow(message);
});

test('sends data as JSON', () => {
  expect(toJson({ a: [1, null, 'x'], at: new Date(0), gone: undefined })).toBe(
    '{"a":[1,null,"x"],"at":"1970-01-01T00:00:00.000Z"}',
  );
});
