import { expect, test } from 'vitest';
import type { ExitReply } from '../../events/exchange.ts';
import { capture } from './capture.mjs';
import { decodeReply } from './raw-reply.mjs';

const taken = (cap: number, ...chunks: Uint8Array[]) => {
  let floods = 0;
  const kept = capture(cap, () => floods++);
  for (const chunk of chunks) kept.take(Buffer.from(chunk));
  const { bytes, dropped } = kept.bytes();
  const printed = { stdout: bytes, stderr: Buffer.alloc(0) };
  const { stdout, notes } = decodeReply({ bare: { kind: 'exited', code: 0 }, printed }) as ExitReply;
  return { text: stdout, replaced: notes?.replaced === true, dropped, floods };
};

test('a character split across chunks arrives intact, at every split', () => {
  const bytes = Buffer.from('aé€😀z');
  for (let at = 0; at <= bytes.length; at++)
    expect(taken(100, bytes.subarray(0, at), bytes.subarray(at))).toEqual({
      text: 'aé€😀z',
      replaced: false,
      dropped: 0,
      floods: 0,
    });
  // The naive way breaks here.
  expect(bytes.subarray(0, 2).toString() + bytes.subarray(2).toString()).not.toBe('aé€😀z');
});

test.each([
  [1, 'a', 10],
  [2, 'a', 10],
  [3, 'aé', 8],
  [5, 'aé', 8],
  [6, 'aé€', 5],
  [9, 'aé€', 5],
  [10, 'aé€😀', 1],
])('a limit of %d bytes cuts between characters and counts what it dropped', (cap, text, dropped) => {
  expect(taken(cap, Buffer.from('aé€😀z'))).toEqual({ text, replaced: false, dropped, floods: 0 });
});

test('replaces invalid bytes and reports it', () => {
  expect(taken(100, Uint8Array.of(0x61, 0xff, 0x62))).toEqual({
    text: 'a\ufffdb',
    replaced: true,
    dropped: 0,
    floods: 0,
  });
});

test('a printed replacement character is not reported as replaced, and a byte order mark stays', () => {
  expect(taken(100, Buffer.from('\ufeff\ufffd'))).toMatchObject({ text: '\ufeff\ufffd', replaced: false });
});

test('reports a flood once, far beyond the limit', () => {
  const chunk = Buffer.alloc(10, 'x');
  expect(taken(10, ...Array.from({ length: 16 }, () => chunk))).toMatchObject({ dropped: 150, floods: 0 });
  expect(taken(10, ...Array.from({ length: 30 }, () => chunk))).toMatchObject({ dropped: 290, floods: 1 });
});
