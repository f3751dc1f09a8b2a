import { expect, test } from 'vitest';
import { LineReader } from './line-reader.ts';

function heard(chunks: readonly (string | Buffer)[], longest = 1000) {
  const said: (string | number)[] = [];
  const reader = new LineReader(
    { line: (text) => said.push(text), tooLong: (bytes) => said.push(bytes) },
    longest,
  );
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  return { said, cut: reader.cut };
}

test('lines are returned complete, in whatever chunks they arrive', () => {
  const bytes = Buffer.from('{"ü": 1}\r\n\n  \n{"b": 2}\n{"c"');
  const whole = { said: ['{"ü": 1}', '{"b": 2}'], cut: '{"c"' };
  expect(heard([bytes])).toEqual(whole);
  expect(heard([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole);
});

test('an overlong line is counted but not stored, and the next line is read', () => {
  expect(heard(['x'.repeat(11), 'y\nok\n'], 10)).toEqual({ said: [12, 'ok'], cut: '' });
});
