import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { GENESIS } from './chain.ts';
import { JournalHead, readHead } from './head.ts';

const PAGE = 4096;

test("no writer's slot crosses a page boundary, so a kill cannot leave half a link", () => {
  const folder = mkdtempSync(join(tmpdir(), 'ah-head-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'heads', 's.head');
  const writers = Array.from({ length: 130 }, (_, n) => (n + 1).toString(16).padStart(16, 'a'));
  const hashOf = (n: number): string => n.toString(16).padStart(64, 'b');
  for (const [n, writer] of writers.entries()) {
    const head = new JournalHead(file, writer);
    head.put(n, hashOf(n));
    head.close();
  }
  const text = readFileSync(file, 'latin1');
  const torn = writers.filter((writer) => {
    const at = text.indexOf(writer);
    return Math.floor(at / PAGE) !== Math.floor((at + text.indexOf('\n')) / PAGE);
  });
  expect(torn).toEqual([]);
  const { slots, damaged } = readHead(file);
  const nobody = { writer: '0'.repeat(16), state: 'closed', seq: 0, hash: GENESIS };
  expect([damaged, slots.filter(({ writer }) => writer === nobody.writer)]).toEqual([
    0,
    [nobody, nobody, nobody],
  ]);
  expect(slots.filter(({ writer }) => writer !== nobody.writer)).toEqual(
    writers.map((writer, n) => ({ writer, state: 'open', seq: n, hash: hashOf(n) })),
  );
});
