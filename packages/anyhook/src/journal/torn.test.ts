/**
 * A writer is killed in the middle of its line while another has the same journal open. The other's next
 * line, glued to the torn one, must still be read.
 */

import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ByteBuffer } from './byte-buffer.ts';
import { lineHash, seal, unseal } from './chain.ts';
import { fire } from './fixtures/fire.ts';
import { ground, write } from './fixtures/ground.ts';
import { linesBefore, linesFrom, recordAt } from './line-blocks.ts';
import { readFile } from './read.ts';
import { makeRecord } from './record.ts';
import { verify } from './verify.ts';

const commandOf = (record: unknown) =>
  (record as { before: { input: { command: string } } }).before.input.command;
const commandsRead = (file: string): string[] =>
  [...readFile(file)].flatMap((entry) => (entry.kind === 'record' ? commandOf(entry.record) : []));

/**
 * Two writers have the journal open. The first one's line is left as kill -9 leaves it, and the second
 * continues to write.
 */
function glued(keptBytes: (length: number) => number) {
  const { open } = ground();
  const [killed, other] = [open(), open()];
  write(killed, 'a1');
  write(other, 'b1');
  const before = readFileSync(killed.file);
  const head = readFileSync(killed.head);
  write(killed, 'a2');
  const kept = keptBytes(readFileSync(killed.file).length - before.length);
  truncateSync(killed.file, before.length + kept);
  writeFileSync(killed.head, head);
  expect(write(other, 'b2')).toMatchObject({ written: true });
  return { file: other.file, head: other.head, at: before.length, kept, open };
}

describe('a line that is glued to one that was torn', () => {
  test('a line glued to a torn one is read, wherever the torn one ends', () => {
    const { length } = readFileSync(glued((whole) => whole - 1).file);
    expect(length).toBeGreaterThan(1000);
    for (const kept of [1, 2, 9, 40, 80, 140, 200, 400]) {
      const { file, head, at } = glued(() => kept);
      expect(commandsRead(file), `${kept} bytes`).toEqual(['a1', 'b1', 'b2']);
      expect(verify(file, head), `${kept} bytes`).toMatchObject({
        ok: true,
        records: 3,
        notes: [{ kind: 'torn', line: 3 }],
      });
      const entries = linesFrom(file, 0, readFileSync(file).length).entries.slice(2);
      expect(entries).toMatchObject([
        { kind: 'damage', at, bytes: kept },
        { kind: 'record', at: at + kept },
      ]);
      expect(linesBefore(file, readFileSync(file).length, 9).entries.slice(2)).toEqual(entries);
      expect(commandOf(recordAt(file, at + kept, readFileSync(file).length))).toBe('b2');
    }
  });

  test('a line glued to one that only lacks its newline is read', () => {
    const { file, head } = glued((length) => length - 1);
    expect(commandsRead(file)).toEqual(['a1', 'b1', 'b2']);
    expect(verify(file, head)).toMatchObject({ ok: true, records: 3, notes: [{ kind: 'torn', line: 3 }] });
  });

  test('a line after several torn ones is read', () => {
    const { open } = ground();
    const other = open();
    write(other, 'b1');
    for (const command of ['a1', 'a2']) {
      const killed = open({ file: `${other.file}.${command}`, heads: `${other.head}.d` });
      write(killed, command);
      appendFileSync(other.file, readFileSync(killed.file).subarray(0, 300));
    }
    expect(write(other, 'b2')).toMatchObject({ written: true });
    expect(commandsRead(other.file)).toEqual(['b1', 'b2']);
    expect(verify(other.file, other.head)).toMatchObject({ ok: true, records: 2 });
  });

  test('the next writer continues from a glued line, and the torn one is reported', () => {
    const { file, head, open } = glued(() => 400);
    const next = open();
    expect(write(next, 'c1')).toMatchObject({ written: true, seq: 4 });
    expect(
      [...readFile(file)].map((entry) => (entry.kind === 'damage' ? entry.why : commandOf(entry.record))),
    ).toEqual(['a1', 'b1', 'was not finished (400 bytes); the next record is in the same line', 'b2', 'c1']);
    expect(
      [...readFile(file, { order: 'newest-first' })].map((entry) =>
        entry.kind === 'damage' ? 'damage' : commandOf(entry.record),
      ),
    ).toEqual(['c1', 'b2', 'damage', 'b1', 'a1']);
    expect(verify(file, head)).toMatchObject({ ok: true, records: 4 });
  });

  test('control: verify reports an acknowledged record that was made to look torn', () => {
    const { open } = ground();
    const [one, other] = [open(), open()];
    for (const command of ['1', '2']) {
      write(one, `a${command}`);
      write(other, `b${command}`);
    }
    const bytes = readFileSync(one.file);
    const lines = bytes.toString().split('\n');
    for (const line of [0, 1, 2]) {
      writeFileSync(
        one.file,
        lines
          .with(line, `${lines[line]!.slice(0, 400)}${lines[line + 1]!}`)
          .toSpliced(line + 1, 1)
          .join('\n'),
      );
      expect(verify(one.file, one.head).ok, `line ${line + 1}`).toBe(false);
    }
  });

  test('data of a call cannot imitate a record, torn after its last byte or not', () => {
    const { open } = ground();
    const journal = open();
    write(journal, 'true');
    const prev = (JSON.parse(readFileSync(journal.file, 'utf8')) as { hash: string }).hash;
    const line = ByteBuffer.of(Buffer.from(JSON.stringify(makeRecord(fire({ command: 'forged' })))));
    const { from, length } = seal(line, { seq: 2, writer: 'f'.repeat(16), prev });
    const forged = JSON.parse(line.bytes.toString('utf8', from, from + length)) as object;
    const asText = JSON.stringify(forged);
    // As in a record: without spaces, so the hash is computed over that form.
    const at = asText.lastIndexOf(',"hash"');
    const nested = { ...forged, hash: lineHash(Buffer.from(asText.slice(0, at))) };
    expect(unseal(Buffer.from(JSON.stringify(nested))).kind).toBe('sound');
    journal.write(makeRecord(fire({ command: 'x', nested })));
    const whole = readFileSync(journal.file, 'utf8');
    const end = whole.indexOf(`${nested.hash}"}`) + nested.hash.length + 2;
    expect(end).toBeGreaterThan(100);
    writeFileSync(journal.file, `${whole.slice(0, end)}\n`);
    expect(commandsRead(journal.file)).toEqual(['true']);
  });
});

test('a blank line is explained if two writers found the same torn line', () => {
  const { open } = ground();
  const killed = open();
  write(killed, 'a1');
  const before = readFileSync(killed.file).length;
  write(killed, 'a2');
  truncateSync(killed.file, before + 300);
  const head = readFileSync(killed.head);
  const other = open();
  write(other, 'b1'); // "\n" and its line
  const written = readFileSync(other.file);
  expect(written.subarray(before + 300, before + 301).toString()).toBe('\n');
  expect(head.length).toBeGreaterThan(0);
  // A third writer that looked at the same moment records the same gap and starts with a newline too.
  truncateSync(other.file, before + 300);
  const third = open({ heads: `${other.head}.d` });
  write(third, 'c1');
  const line = readFileSync(third.file).subarray(before + 300);
  writeFileSync(other.file, Buffer.concat([written, line]));
  expect(commandsRead(other.file)).toEqual(['a1', 'b1', 'c1']);
  // As planted.
  expect(verify(other.file, other.head).problems.map(({ kind }) => kind)).toEqual(['cut', 'unknown-writer']);
});
