import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteBuffer } from './byte-buffer.ts';
import { type ChainLink, GENESIS, seal } from './chain.ts';
import { ground, linesIn, write } from './fixtures/ground.ts';
import { verify } from './verify.ts';

/** Two writers one after the other, then two at once; the last one is still open. */
function written() {
  const { open } = ground();
  const first = open();
  for (const command of ['a1', 'a2', 'a3']) write(first, command);
  first.close();
  const [second, third] = [open(), open()];
  for (const command of ['1', '2', '3']) {
    write(second, `b${command}`);
    write(third, `c${command}`);
  }
  const { file, head } = second;
  return {
    file,
    head,
    bytes: readFileSync(file),
    lines: linesIn(file),
    close: () => (second.close(), third.close()),
  };
}
const forgedLine = (link: ChainLink): string => {
  const line = ByteBuffer.of(Buffer.from('{"event":"forged"}'));
  const { from, length } = seal(line, link);
  return line.bytes.toString('utf8', from, from + length - 1);
};
const kinds = (file: string, head: string) => verify(file, head).problems.map(({ kind }) => kind);

describe('verify', () => {
  test('finds nothing wrong with an intact journal', () => {
    const { file, head, close } = written();
    expect(verify(file, head)).toEqual({ ok: true, records: 9, problems: [], notes: [] });
    close();
    expect(verify(file, head)).toEqual({ ok: true, records: 9, problems: [], notes: [] });
  });

  test('detects truncation at every byte of the last records', () => {
    const { file, head, bytes, lines } = written();
    const from = bytes.length - lines.slice(-2).join('\n').length - 2;
    const missed: number[] = [];
    for (let size = bytes.length - 1; size >= from; size--) {
      truncateSync(file, size);
      if (verify(file, head).ok) missed.push(size);
    }
    expect(missed).toEqual([]);
  });

  test('detects truncation at every line, down to nothing', () => {
    const { file, head, lines } = written();
    for (let kept = lines.length - 1; kept >= 0; kept--) {
      writeFileSync(
        file,
        lines
          .slice(0, kept)
          .map((line) => `${line}\n`)
          .join(''),
      );
      expect(kinds(file, head)).toContain('cut');
    }
    rmSync(file);
    expect(kinds(file, head)).toEqual(['cut', 'cut', 'cut']);
  });

  test('control: without the head, truncation at a line is not detected', () => {
    const { file, head, lines } = written();
    writeFileSync(
      file,
      lines
        .slice(0, 3)
        .map((line) => `${line}\n`)
        .join(''),
    );
    rmSync(head);
    expect(kinds(file, head)).toEqual(['no-head']);
  });

  test('detects any modified byte', () => {
    const { file, head, bytes } = written();
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const other = Buffer.from(bytes);
        other[at]! ^= flip;
        writeFileSync(file, other);
        expect(verify(file, head).ok).toBe(false);
      }),
      { numRuns: Number(process.env['RUNS'] ?? 1_500) },
    );
  });

  test('detects any line removed, duplicated, or moved among those of its writer', () => {
    const { file, head, lines } = written();
    const put = (changed: readonly string[]) =>
      writeFileSync(file, changed.map((line) => `${line}\n`).join(''));
    for (let i = 0; i < lines.length; i++) {
      put(lines.toSpliced(i, 1));
      expect(verify(file, head).ok, `without line ${i + 1}`).toBe(false);
      put(lines.toSpliced(i, 0, lines[i]!));
      expect(verify(file, head).ok, `line ${i + 1} twice`).toBe(false);
      put(lines.toSpliced(i, 0, ''));
      expect(verify(file, head).ok, `an empty line before ${i + 1}`).toBe(false);
    }
    for (let i = 0; i + 2 < lines.length; i++) {
      const swapped = lines.with(i, lines[i + 2]!).with(i + 2, lines[i]!);
      put(swapped);
      expect(verify(file, head).ok, `lines ${i + 1} and ${i + 3} swapped`).toBe(false);
    }
  });

  test('detects a forged line with valid hashes at any position', () => {
    const { file, head, lines } = written();
    const parsed = lines.map((line) => JSON.parse(line) as { seq: number; hash: string; writer: string });
    for (let i = 0; i <= lines.length; i++)
      for (const writer of [parsed[0]!.writer, parsed[i]?.writer ?? parsed[0]!.writer, 'f'.repeat(16)]) {
        const before = parsed[i - 1];
        const forged = forgedLine({
          seq: (before?.seq ?? 0) + 1,
          writer,
          prev: before?.hash ?? GENESIS,
        });
        writeFileSync(
          file,
          lines
            .toSpliced(i, 0, forged)
            .map((line) => `${line}\n`)
            .join(''),
        );
        expect(verify(file, head).ok, `forged at ${i + 1} as ${writer}`).toBe(false);
      }
  });

  test('detects a line replaced by a forged one with the same number, writer and predecessor', () => {
    const { file, head, lines } = written();
    for (let i = 0; i < lines.length; i++) {
      const { seq, writer, prev } = JSON.parse(lines[i]!) as { seq: number; writer: string; prev: string };
      const forged = forgedLine({ seq, writer, prev });
      writeFileSync(file, `${lines.with(i, forged).join('\n')}\n`);
      expect(verify(file, head).ok, `line ${i + 1} forged`).toBe(false);
    }
  });

  test('accepts one record past an open head, as after kill -9, but not past a closed one', () => {
    const { open, root } = ground();
    const journal = open();
    write(journal, 'one');
    copyFileSync(journal.head, `${root}/before`);
    write(journal, 'two');
    copyFileSync(`${root}/before`, journal.head);
    expect(verify(journal.file, journal.head)).toMatchObject({ ok: true, notes: [{ kind: 'past-head' }] });
    write(journal, 'three');
    copyFileSync(`${root}/before`, journal.head);
    expect(kinds(journal.file, journal.head)).toEqual(['past-head']);
    writeFileSync(journal.head, readFileSync(`${root}/before`, 'latin1').replace(' o ', ' c '), 'latin1');
    truncateSync(journal.file, statSync(journal.file).size - linesIn(journal.file)[2]!.length - 1);
    expect(kinds(journal.file, journal.head)).toEqual(['past-head']);
  });

  test('reports an invalid head', () => {
    const { file, head } = written();
    writeFileSync(head, 'nonsense');
    expect(kinds(file, head)).toContain('head-damaged');
  });

  test('reports a session without file and head', () => {
    const { root } = ground();
    expect(kinds(`${root}/x.jsonl`, `${root}/x.head`)).toEqual(['missing']);
  });

  test('limit: rewriting both file and head leaves no trace', () => {
    const { file, head } = written();
    const other = written();
    copyFileSync(other.file, file);
    copyFileSync(other.head, head);
    expect(verify(file, head).ok).toBe(true);
  });
});
