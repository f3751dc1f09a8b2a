/** The exact messages about an untrustworthy store, and what is left unchanged. */

import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cover, projectWith, scratch } from './fixtures/scratch.ts';
import { recordOf, type TrustRecord } from './record.ts';
import { openTrustStore } from './store.ts';

const isRoot = process.getuid?.() === 0;
const fileIn = (folder: string, key: string) => join(folder, `${key.slice('sha256:'.length)}.json`);
const recordFor = (line: string, text = ':') =>
  recordOf(cover(projectWith({ 'g.sh*': text }), line), new Date('2026-01-02T03:04:05Z'));
function filled(record: TrustRecord = recordFor('./g.sh')) {
  const folder = join(scratch(), 'trust');
  openTrustStore(folder).add(record);
  return { folder, record, file: fileIn(folder, record.key) };
}

describe('a record that does not count', () => {
  test.each<[why: string, spoil: (file: string, folder: string) => void]>([
    ['it is damaged', (file) => writeFileSync(file, '{}')],
    ['it is not a regular file', (file) => (rmSync(file), mkdirSync(file))],
    ['other users can write to it', (file) => chmodSync(file, 0o620)],
    ['other users can write to it', (file) => chmodSync(file, 0o602)],
    ['other users can write to it', (_, folder) => chmodSync(folder, 0o770)],
  ])('is reported with the reason (%s) and a remedy', (why, spoil) => {
    const { folder, record, file } = filled();
    spoil(file, folder);
    const store = openTrustStore(folder);
    expect([store.problems, store.has(record.key)]).toEqual([[], false]);
    expect(store.problems).toEqual([
      {
        code: 'file-unreadable',
        file,
        message: `is ignored as a trust record: ${why}.`,
        remedy: 'Inspect it, move it away, and trust the entry again.',
        severity: 'error',
      },
    ]);
  });

  test("is reported with the system's message if it is a link", () => {
    const { folder, record, file } = filled();
    renameSync(file, join(folder, 'real'));
    symlinkSync('real', file);
    const store = openTrustStore(folder);
    expect([store.has(record.key), store.problems.map(({ message }) => message)]).toEqual([
      false,
      [expect.stringMatching(/^is ignored as a trust record: ELOOP: .*\.$/)],
    ]);
  });

  test.skipIf(!isRoot)('is ignored if it, or its folder, belongs to another user', () => {
    for (const whose of ['file', 'folder'] as const) {
      const { folder, record, file } = filled();
      chownSync(whose === 'file' ? file : folder, 12_345, 12_345);
      const store = openTrustStore(folder);
      expect([store.has(record.key), store.problems.map(({ message }) => message)]).toEqual([
        false,
        ['is ignored as a trust record: it belongs to another user.'],
      ]);
    }
  });

  test('is reported once, and no longer after it is complete again', () => {
    const { folder, record, file } = filled();
    writeFileSync(file, 'damaged');
    const store = openTrustStore(folder);
    store.list();
    expect([store.has(record.key), store.problems.length]).toEqual([false, 1]);
    expect([store.add(record), store.problems, store.list()]).toEqual([{ kind: 'added' }, [], [record]]);
  });
});

describe('a store that is not a folder', () => {
  test('is reported when it is opened and when a record is added', () => {
    const folder = join(scratch(), 'trust');
    writeFileSync(folder, '');
    const store = openTrustStore(folder);
    expect(store.problems).toEqual([
      {
        code: 'file-unreadable',
        file: folder,
        message: `cannot read the trust store: ENOTDIR: not a directory, scandir '${folder}'. No trust is in effect.`,
        remedy: 'Move it away or make it a folder that only you can read, then run: anyhook trust add',
        severity: 'error',
      },
    ]);
    const added = store.add(recordFor('./g.sh'));
    const problem = {
      code: 'file-unreadable',
      file: folder,
      message: `cannot write the trust record: EEXIST: file already exists, mkdir '${folder}'.`,
      remedy: 'Make the folder writable only for you.',
      severity: 'error',
    };
    expect([added, store.problems, store.list()]).toEqual([{ kind: 'failed', problem }, [problem], []]);
  });

  test('is not reported if it does not exist yet', () => {
    const store = openTrustStore(join(scratch(), 'trust'));
    expect([store.problems, store.list(), store.problems]).toEqual([[], [], []]);
  });

  test.each([undefined, 'relative/trust'])('stores nothing without a home folder (%j)', (folder) => {
    const store = openTrustStore(folder);
    expect([store.folder, store.problems]).toEqual([undefined, []]);
    expect(store.add(recordFor('./g.sh'))).toEqual({
      kind: 'failed',
      problem: {
        code: 'file-unreadable',
        file: folder ?? '~/.local/share/anyhook/trust',
        message: 'there is no home folder for the trust store.',
        remedy: 'Set HOME or XDG_DATA_HOME to an absolute path.',
        severity: 'error',
      },
    });
    expect([store.list(), store.problems.length]).toEqual([[], 1]);
  });
});

describe('what is in the folder', () => {
  test('lists records by key and ignores names that are not hashes', () => {
    const [one, two, three] = ['1', '2', '3'].map((text) => recordFor('./g.sh', text)) as [
      TrustRecord,
      TrustRecord,
      TrustRecord,
    ];
    const { folder } = filled(one);
    const store = openTrustStore(folder);
    for (const record of [two, three]) store.add(record);
    writeFileSync(join(folder, 'notes.json'), '{}');
    writeFileSync(join(folder, `${'a'.repeat(64)}.json.bak`), '{}');
    expect([store.folder, store.list(), store.problems]).toEqual([
      folder,
      [one, two, three].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
      [],
    ]);
  });

  test('revokes by key and by hash, and leaves other records', () => {
    const [here, other] = [recordFor('npm run lint'), recordFor('./g.sh')];
    expect(here.key === here.hash).toBe(false);
    for (const name of [here.key, here.hash]) {
      const { folder } = filled(here);
      const store = openTrustStore(folder);
      store.add(other);
      expect([store.revoke(name), readdirSync(folder)]).toEqual([
        true,
        [`${other.key.slice('sha256:'.length)}.json`],
      ]);
    }
  });

  test('revokes nothing for a name that is not a hash', () => {
    const { folder, record, file } = filled();
    const store = openTrustStore(folder);
    expect([store.revoke(record.key.slice('sha256:'.length)), existsSync(file)]).toEqual([false, true]);
    expect([store.has('sha256:'), store.revoke('sha256:')]).toEqual([false, false]);
  });

  test('leaves no partial record if a record cannot be written', () => {
    const { folder, record, file } = filled();
    rmSync(file);
    mkdirSync(join(file, 'full'), { recursive: true });
    const store = openTrustStore(folder);
    expect(store.add(record)).toEqual({ kind: 'added' });
    expect(readdirSync(folder).map((name) => name.replace(/-[0-9a-f]{8}$/, '-#'))).toEqual([
      `${record.key.slice('sha256:'.length)}.json`,
      `${record.key.slice('sha256:'.length)}.json.damaged-#`,
    ]);
  });
});

describe('the predecessor of an entry', () => {
  test('is the newest record, whatever the order of storing and names', () => {
    const project = projectWith({ 'g.sh*': '' });
    const dates = [3, 1, 4, 2].map((day) => new Date(Date.UTC(2026, 0, day)));
    const store = openTrustStore(join(scratch(), 'trust'));
    const records = dates.map((at) => {
      writeFileSync(join(project.root, 'g.sh'), at.toISOString());
      const record = recordOf(cover(project, './g.sh'), at);
      store.add(record);
      return record;
    });
    const [first] = records;
    expect(store.previous(first!.identity, first!.entry)?.at).toBe('2026-01-04T00:00:00.000Z');
    expect(store.previous(first!.identity, 'another')?.at).toBe('2026-01-04T00:00:00.000Z');
  });
});
