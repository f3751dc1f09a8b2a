/** Sessions in several files, removed sessions, and unsafe folders. */

import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fire } from './fixtures/fire.ts';
import { ground, linesIn } from './fixtures/ground.ts';
import { makeRecord, readFile, readFolder, verifyFolder } from './index.ts';
import { sessionParts } from './session-parts.ts';
import { type Journal, journalFileOf, type JournalStoreOptions } from './store.ts';

const draft = () => makeRecord(fire());
/** Small enough that a few records fill a part; the size is checked every 50 ms. */
const PARTS = { partBytes: 3_000 };
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
function fill(journal: Journal, records = 12): void {
  for (let n = 0; n < records; n++) {
    expect(journal.write(draft()).ok).toBe(true);
    pause();
  }
}
function parted(more: Partial<JournalStoreOptions> = {}) {
  const place = ground();
  const journal = place.open({ ...PARTS, ...more });
  fill(journal);
  journal.close();
  const parts = sessionParts(journal.file);
  expect(parts.length).toBeGreaterThan(2);
  const verified = () => [...verifyFolder(place.folder, place.heads)];
  return {
    ...place,
    parts,
    verified,
    kinds: () => verified().flatMap(({ problems }) => problems.map(({ kind }) => kind)),
  };
}

describe('a session that writes much', () => {
  test('a large session continues in the next part as one chain that is read in order', () => {
    const { folder, parts, verified } = parted();
    expect(verified()).toEqual([
      { session: 's-1', file: parts[0], ok: true, records: 12, problems: [], notes: [] },
    ]);
    const seqs = [...readFile(parts[0]!)].map((entry) => (entry.kind === 'record' ? entry.record.seq : 0));
    expect(seqs).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
    const backwards = [...readFolder(folder, { order: 'newest-first' })];
    expect(backwards.map((entry) => (entry.kind === 'record' ? entry.record.seq : 0))).toEqual(
      seqs.toReversed(),
    );
  });

  test('the next process continues a session in the last part or a new one', () => {
    const { open, verified } = parted();
    fill(open(PARTS), 3);
    expect(verified().map(({ ok, records }) => [ok, records])).toEqual([[true, 15]]);
  });

  test.each<[string, (parts: readonly string[]) => void, string]>([
    [
      'a changed byte',
      ([, second]) =>
        writeFileSync(second!, readFileSync(second!, 'utf8').replace('tool.before', 'tool.after_')),
      'changed',
    ],
    [
      'a line taken out',
      ([, second]) => writeFileSync(second!, `${linesIn(second!).slice(1).join('\n')}\n`),
      'broken-chain',
    ],
    [
      'two lines in another order',
      ([first]) => writeFileSync(first!, `${linesIn(first!).toReversed().join('\n')}\n`),
      'broken-chain',
    ],
    ['a part in the middle removed', ([, second]) => rmSync(second!), 'broken-chain'],
    ['the first part removed', ([first]) => rmSync(first!), 'broken-chain'],
    ['the last part removed', (parts) => rmSync(parts.at(-1)!), 'cut'],
    ['the tail cut', (parts) => writeFileSync(parts.at(-1)!, ''), 'cut'],
    [
      'two parts changed for each other',
      ([first, second]) => {
        renameSync(first!, `${first}.x`);
        renameSync(second!, first!);
        renameSync(`${first}.x`, second!);
      },
      'broken-chain',
    ],
    ['all of it removed', (parts) => parts.forEach((part) => rmSync(part)), 'cut'],
  ])('verify detects %s', (_, damage, kind) => {
    const { parts, kinds } = parted();
    expect(kinds()).toEqual([]); // the control
    damage(parts);
    expect(kinds()).toContain(kind);
  });
});

describe('old sessions', () => {
  const sessions = (folder: string) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .toSorted();
  function aged() {
    const place = ground();
    for (const session of ['a', 'b', 'c']) {
      const journal = place.open({ session });
      journal.write(draft());
      journal.close();
      const at = Date.now() / 1000 - 86_400 * (10 - 'abc'.indexOf(session) * 4);
      utimesSync(journalFileOf(place.folder, session), at, at);
    }
    return place;
  }
  const whole = ({ folder, heads }: ReturnType<typeof ground>) =>
    [...verifyFolder(folder, heads)].every(({ ok }) => ok);

  test('removes old sessions by age with their heads, keeps the others complete, and logs it', () => {
    const place = aged();
    place.open({ session: 'now', keep: { keepDays: 7 } }).write(draft());
    expect([sessions(place.folder), whole(place)]).toEqual([['b.jsonl', 'c.jsonl', 'now.jsonl'], true]);
    expect(readFileSync(join(place.heads, 'removed.jsonl'), 'utf8')).toMatch(
      /^\{"session":"a","bytes":\d+,"at":"[^"]+"\}\n$/,
    );
  });

  test('removes old sessions by size, oldest first, but never the current one', () => {
    const place = aged();
    place.open({ session: 'now', keep: { keepBytes: 1 } }).write(draft());
    expect([sessions(place.folder), whole(place)]).toEqual([['now.jsonl'], true]);
  });

  test('keeps old sessions by default, and verify reports a session removed by hand', () => {
    const place = aged();
    place.open({ session: 'now' }).write(draft());
    expect([sessions(place.folder).length, whole(place)]).toEqual([4, true]);
    rmSync(journalFileOf(place.folder, 'b'));
    expect(whole(place)).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('a folder', () => {
  test.each<[string, (folder: string) => void, RegExp]>([
    [
      'that others can write to',
      (folder) => {
        mkdirSync(folder);
        chmodSync(folder, 0o777);
      },
      /other users can write to .*: chmod go-w /,
    ],
    [
      'that the group can write to',
      (folder) => {
        mkdirSync(folder);
        chmodSync(folder, 0o770);
      },
      /other users can write to/,
    ],
    [
      'that is a link',
      (folder) => {
        mkdirSync(`${folder}-true`);
        symlinkSync(`${folder}-true`, folder);
      },
      /is a link/,
    ],
  ])('refuses to write to %s and reports it', (_, make, why) => {
    const place = ground();
    make(place.folder);
    const said: string[] = [];
    const journal = place.open({ required: true, onTrouble: ({ message }) => said.push(message) });
    expect(journal.write(draft())).toEqual({ ok: false, written: false, why: expect.stringMatching(why) });
    expect([said.length, said[0]]).toEqual([1, expect.stringMatching(why)]);
    expect(readdirSync(place.folder)).toEqual([]);
  });
});
