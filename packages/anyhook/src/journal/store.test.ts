import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fire } from './fixtures/fire.ts';
import { commandsIn, ground, linesIn, write } from './fixtures/ground.ts';
import { type JournalRecord, makeRecord } from './record.ts';
import type { Trouble } from './store.ts';
import { verify } from './verify.ts';

const posix = process.platform !== 'win32';
const records = (file: string) => linesIn(file).map((line) => JSON.parse(line) as JournalRecord);
const written = (seq: number) => ({ ok: true, written: true, seq });

describe('a journal', () => {
  test('writes one line per record, private to the user', () => {
    const { open, folder, heads } = ground();
    const journal = open();
    expect([write(journal, 'one'), write(journal, 'two\u2028\n\u0000three')]).toEqual([
      written(1),
      written(2),
    ]);
    expect(commandsIn(journal.file)).toEqual(['one', 'two\u2028\n\u0000three']);
    if (posix)
      expect([folder, heads, journal.file, journal.head].map((path) => statSync(path).mode & 0o777)).toEqual([
        0o700, 0o700, 0o600, 0o600,
      ]);
    expect(verify(journal.file, journal.head)).toEqual({ ok: true, records: 2, problems: [], notes: [] });
  });

  test('does not touch the disk before the first record', () => {
    const { open, folder, heads } = ground();
    open().close();
    expect([existsSync(folder), existsSync(heads)]).toEqual([false, false]);
  });

  test('continues numbers and chain when it is opened again', () => {
    const { open } = ground();
    const first = open();
    write(first, 'one');
    write(first, 'two');
    first.close();
    const second = open();
    expect(write(second, 'three')).toEqual(written(3));
    const [, two, three] = records(second.file);
    expect(three?.prev).toBe(two?.hash);
    expect(three?.writer).not.toBe(two?.writer);
    expect(verify(second.file, second.head)).toEqual({ ok: true, records: 3, problems: [], notes: [] });
  });

  test('leaves a torn last line, and the next record starts on a new line and notes it', () => {
    const { open } = ground();
    const first = open();
    write(first, 'one');
    first.close();
    appendFileSync(first.file, '{"v":1,"seq":2,"half');
    const second = open();
    expect(write(second, 'two')).toEqual(written(2));
    const lines = linesIn(second.file);
    expect(lines[1]).toBe('{"v":1,"seq":2,"half');
    expect((JSON.parse(lines[2]!) as JournalRecord).gap).toEqual({
      torn: { bytes: 20, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(verify(second.file, second.head)).toEqual({
      ok: true,
      records: 2,
      problems: [],
      notes: [{ kind: 'torn', line: 2, message: 'line 2 was not finished; the next writer noted it' }],
    });
  });

  test('continues after a last record that only lacks its newline', () => {
    const { open } = ground();
    const first = open();
    write(first, 'one');
    write(first, 'two');
    first.close();
    truncateSync(first.file, statSync(first.file).size - 1);
    const second = open();
    expect(write(second, 'three')).toEqual(written(3));
    expect(commandsIn(second.file)).toEqual(['one', 'two', 'three']);
    expect(verify(second.file, second.head).ok).toBe(true);
  });

  test('continues from the last intact record if the last one was modified', () => {
    const { open } = ground();
    const first = open();
    for (const command of ['one', 'two', 'three']) write(first, command);
    first.close();
    const [one, two, three] = linesIn(first.file);
    writeFileSync(first.file, `${one}\n${two!.replace('two', 'TWO')}\n${three!.replace('three', 'THREE')}\n`);
    const second = open();
    expect(write(second, 'four')).toEqual(written(2));
    expect((JSON.parse(linesIn(second.file)[3]!) as JournalRecord).prev).toBe(
      (JSON.parse(one!) as JournalRecord).hash,
    );
    expect(verify(second.file, second.head).problems.map(({ kind }) => kind)).toEqual([
      'changed',
      'changed',
      'cut',
    ]);
  });

  test('cuts a record that is larger than a line may be', () => {
    const { open } = ground();
    const journal = open();
    const huge = { parts: Array.from({ length: 1000 }, () => 'é'.repeat(4000)) };
    journal.write(makeRecord(fire(huge, { verdict: 'deny' })));
    expect(statSync(journal.file).size).toBeLessThan(256 * 1024);
    expect(records(journal.file)[0]).toMatchObject({ verdict: 'deny', cut: expect.any(Number) });
  });
});

describe('trouble', () => {
  const collect = () => {
    const told: Trouble[] = [];
    return { told, onTrouble: (trouble: Trouble) => void told.push(trouble) };
  };

  test.skipIf(process.platform !== 'linux')(
    'reports a full disk once, keeps records in memory, and writes them in order when there is space',
    () => {
      const { open, root, folder } = ground();
      mkdirSync(folder);
      const [file, real] = [join(root, 'link'), join(root, 'real.jsonl')];
      symlinkSync('/dev/full', file);
      const { told, onTrouble } = collect();
      const journal = open({ file, onTrouble });
      for (const command of ['one', 'two'])
        expect(write(journal, command)).toEqual({
          ok: true,
          written: false,
          why: expect.stringContaining('ENOSPC'),
        });
      expect(journal.trouble).toMatchObject({ kind: 'not-written', waiting: 1 + 1, lost: 0 });
      unlinkSync(file);
      symlinkSync(real, file);
      expect(write(journal, 'three')).toEqual(written(3));
      expect(commandsIn(real)).toEqual(['one', 'two', 'three']);
      expect(journal.trouble).toBeUndefined();
      expect(told.map(({ kind }) => kind)).toEqual(['not-written', 'over']);
      expect(verify(real, journal.head)).toEqual({ ok: true, records: 3, problems: [], notes: [] });
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'counts records that exceed the memory limit and notes them in the file',
    () => {
      const { open, root } = ground();
      const file = join(root, 'link');
      symlinkSync('/dev/full', file);
      const journal = open({ file, ring: 2, onTrouble() {} });
      for (const command of ['one', 'two', 'three', 'four', 'five']) write(journal, command);
      expect(journal.trouble).toMatchObject({ waiting: 2, lost: 3 });
      unlinkSync(file);
      expect(write(journal, 'six')).toEqual(written(6));
      expect(records(file).map(({ seq, gap }) => ({ seq, gap }))).toEqual([
        { seq: 5, gap: { lost: 4 } },
        { seq: 6, gap: undefined },
      ]);
      expect(verify(file, journal.head).problems).toEqual([
        { kind: 'gap', line: 1, message: 'line 1 was written after 4 records that could not be written' },
      ]);
    },
  );

  test('a required journal returns ok: false if it cannot write', () => {
    const { open, folder } = ground();
    writeFileSync(folder, 'a file where the folder should be');
    const { told, onTrouble } = collect();
    const journal = open({ required: true, onTrouble });
    expect(write(journal, 'one')).toEqual({
      ok: false,
      written: false,
      why: expect.stringMatching(/EEXIST|ENOTDIR/),
    });
    rmSync(folder);
    expect(write(journal, 'two')).toEqual(written(2));
    expect(commandsIn(journal.file)).toEqual(['one', 'two']);
    expect(told.map(({ kind }) => kind)).toEqual(['not-written', 'over']);
  });

  test('reports a head that cannot be written and still writes the record', () => {
    const { open, heads } = ground();
    writeFileSync(heads, '');
    const { told, onTrouble } = collect();
    const journal = open({ required: true, onTrouble });
    expect([write(journal, 'one'), write(journal, 'two')]).toEqual([written(1), written(2)]);
    expect(told.map(({ kind }) => kind)).toEqual(['no-head']);
  });

  test('a listener that throws breaks nothing', () => {
    const { open, folder } = ground();
    writeFileSync(folder, '');
    const journal = open({
      onTrouble() {
        throw new Error('mine');
      },
    });
    expect(write(journal, 'one').ok).toBe(true);
  });

  test('recreates a removed file and notes the gap', async () => {
    const { open, folder } = ground();
    const journal = open();
    write(journal, 'one');
    rmSync(folder, { recursive: true });
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(write(journal, 'two')).toEqual(written(2));
    expect(records(journal.file)).toMatchObject([{ seq: 2, gap: { missing: true } }]);
    expect(verify(journal.file, journal.head).problems.map(({ kind }) => kind)).toEqual([
      'gap',
      'broken-chain',
    ]);
  });

  test.skipIf(!posix)('does not follow a link planted in place of the file', () => {
    const { open, root, folder } = ground();
    mkdirSync(folder);
    const journal = open({ onTrouble() {} });
    const victim = join(root, 'victim');
    writeFileSync(victim, 'untouched');
    symlinkSync(victim, journal.file);
    expect(write(journal, 'one').written).toBe(false);
    expect(readFileSync(victim, 'utf8')).toBe('untouched');
  });

  test.skipIf(!posix)('does not block on a pipe planted in place of the file', () => {
    const { open, folder } = ground();
    mkdirSync(folder);
    const journal = open({ onTrouble() {} });
    execFileSync('mkfifo', [journal.file]);
    expect(write(journal, 'one')).toMatchObject({
      written: false,
      why: expect.stringContaining('not a regular file'),
    });
  });

  test.skipIf(process.platform !== 'linux')(
    'the next record notes a line that was written only in part',
    () => {
      const { open, folder, heads } = ground();
      const script = fileURLToPath(new URL('fixtures/write-forever.mjs', import.meta.url));
      // The shell's limit simulates a disk that fills up in the middle of a write.
      const limited = `ulimit -f 8; trap '' XFSZ; exec "$0" "$@" 2>/dev/null`;
      const args = ['-c', limited, process.execPath, script, folder, heads, '20'];
      const env = { ...process.env, JITI_FS_CACHE: 'false' }; // the limit would also truncate cached code
      const said = execFileSync('sh', args, { encoding: 'utf8', env }).split('\n');
      const acknowledged = said.filter((line) => /^\d+$/.test(line)).length;
      const journal = open();
      expect(said.filter((line) => line.startsWith('not written')).length).toBe(20 - acknowledged);
      expect(linesIn(journal.file).length).toBe(acknowledged);
      const torn = readFileSync(journal.file, 'utf8').split('\n').at(-1)!.length;
      expect(torn).toBeGreaterThan(0);
      expect(write(journal, 'after')).toEqual(written(acknowledged + 1));
      expect(JSON.parse(linesIn(journal.file).at(-1)!)).toMatchObject({ gap: { torn: { bytes: torn } } });
      expect(verify(journal.file, journal.head)).toMatchObject({ ok: true, notes: [{ kind: 'torn' }] });
    },
  );
});
