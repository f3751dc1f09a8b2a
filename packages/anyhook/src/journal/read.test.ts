import { appendFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { deny } from '../events/effects.ts';
import { fire } from './fixtures/fire.ts';
import { ground, linesIn, write } from './fixtures/ground.ts';
import { asRecord } from './guard.ts';
import { last, readFile, readFolder, type JournalEntry } from './read.ts';
import { makeRecord } from './record.ts';

const commands = (entries: Iterable<JournalEntry>) =>
  [...entries].map((entry) =>
    entry.kind === 'damage'
      ? `${entry.line}: ${entry.why}`
      : (entry.record.before as { input: { command: string } }).input.command,
  );

describe('reading', () => {
  test('reads records oldest or newest first with their line numbers', () => {
    const { open } = ground();
    const journal = open();
    for (const command of ['one', 'two', 'three']) write(journal, command);
    expect(commands(readFile(journal.file))).toEqual(['one', 'two', 'three']);
    expect(commands(readFile(journal.file, { order: 'newest-first' }))).toEqual(['three', 'two', 'one']);
    expect([...readFile(journal.file, { order: 'newest-first' })].map(({ line }) => line)).toEqual([3, 2, 1]);
    expect(last({ file: journal.file })?.seq).toBe(3);
  });

  test('restores empty fields', () => {
    const { open } = ground();
    const journal = open();
    write(journal, 'one');
    expect(last({ file: journal.file })).toMatchObject({
      v: 1,
      reasons: [],
      changed: [],
      voided: [],
      flow: {},
      lost: [],
      shadow: [],
      unmatched: [],
      said: [],
      given: [],
      hooks: [{ hook: { id: 'guard', file: '/home/me/project/.claude/settings.json', line: 12 } }, {}, {}],
    });
  });

  test('skips damage and reports its line in both directions', () => {
    const { open } = ground();
    const journal = open();
    for (const command of ['one', 'two', 'three']) write(journal, command);
    const lines = linesIn(journal.file);
    writeFileSync(
      journal.file,
      `${[lines[0], lines[1]!.replace('two', 'TWO'), '', lines[2]].join('\n')}\n{"v":1,"half`,
    );
    const expected = [
      'one',
      '2: was modified after it was written',
      '3: too short to be a record',
      'three',
      '5: was not finished (too short to be a record)',
    ];
    expect(commands(readFile(journal.file))).toEqual(expected);
    expect(commands(readFile(journal.file, { order: 'newest-first' }))).toEqual(expected.toReversed());
    expect(last({ file: journal.file })?.seq).toBe(3);
  });

  test('reads lines longer than a block in both directions', () => {
    const { open } = ground();
    const journal = open();
    const parts = (n: number) => Array.from({ length: 50 }, () => `${n}`.repeat(4000));
    for (let i = 1; i <= 7; i++) journal.write(makeRecord(fire({ command: `${i}`, parts: parts(i) })));
    expect(readFileSync(journal.file).length).toBeGreaterThan(1_000_000);
    expect(commands(readFile(journal.file))).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(commands(readFile(journal.file, { order: 'newest-first' }))).toEqual([
      '7',
      '6',
      '5',
      '4',
      '3',
      '2',
      '1',
    ]);
  });

  test('filters by hook, verdict, event and session', () => {
    const { open } = ground();
    const journal = open();
    write(journal, 'plain');
    journal.write(
      makeRecord(
        fire(
          { command: 'denied' },
          { verdict: 'deny', runs: [{ hook: 'lonely', round: 1, ms: 1, answer: { effects: [deny()] } }] },
        ),
      ),
    );
    const read = (wanted: object) => commands(readFile(journal.file, wanted));
    expect(read({ verdict: 'deny' })).toEqual(['denied']);
    expect(read({ hook: 'guard' })).toEqual(['plain']);
    expect(read({ hook: 'lonely' })).toEqual(['denied']);
    expect(read({ event: 'session.start' })).toEqual([]);
    expect(read({ event: 'tool.before', session: 's-1' })).toEqual(['plain', 'denied']);
    expect(last({ file: journal.file }, { verdict: 'none' })?.seq).toBe(1);
  });

  test('merges all sessions of a folder by time', () => {
    const { open, folder } = ground();
    const [a, b] = [open({ session: 'a' }), open({ session: 'b' })];
    const at = (journal: typeof a, second: number) =>
      journal.write(
        makeRecord({ ...fire({ command: `${second}` }), atMs: Date.UTC(2026, 0, 1, 0, 0, second) }),
      );
    for (const second of [1, 4, 5]) at(a, second);
    for (const second of [2, 3, 6]) at(b, second);
    utimesSync(a.file, new Date(), new Date(Date.UTC(2026, 0, 1, 0, 0, 5)));
    utimesSync(b.file, new Date(), new Date(Date.UTC(2026, 0, 1, 0, 0, 6)));
    appendFileSync(`${folder}/notes.txt`, 'not ours');
    expect(commands(readFolder(folder))).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(commands(readFolder(folder, { order: 'newest-first' }))).toEqual(['6', '5', '4', '3', '2', '1']);
    expect(last({ folder })?.before).toMatchObject({ input: { command: '6' } });
  });

  test('a missing file or folder has no records', () => {
    const { root } = ground();
    expect([[...readFile(`${root}/none`)], [...readFolder(`${root}/none`)], last({ folder: root })]).toEqual([
      [],
      [],
      undefined,
    ]);
  });

  test('reads a record of another version with unknown and invalid parts', () => {
    expect(
      asRecord({
        v: 2,
        seq: 7,
        event: 'later.event',
        at: 'x',
        verdict: 'maybe',
        hooks: [1, { hook: { id: 'h' }, ms: 'y', new: 1 }],
        reasons: 'no',
        extra: true,
      }),
    ).toEqual({
      v: 2,
      seq: 7,
      event: 'later.event',
      at: 'x',
      writer: '',
      prev: '',
      hash: '',
      clockMs: 0,
      host: { name: '' },
      ids: { session: '' },
      scene: { cwd: '' },
      verdict: 'none',
      reasons: [],
      changed: [],
      voided: [],
      flow: {},
      lost: [],
      shadow: [],
      unmatched: [],
      said: [],
      given: [],
      hooks: [{ hook: { id: 'h' }, round: 1, ms: 0, new: 1 }],
      extra: true,
    });
    for (const value of [null, 1, 'x', [], {}, { v: 1, seq: 'x' }]) expect(asRecord(value)).toBeUndefined();
  });
});
