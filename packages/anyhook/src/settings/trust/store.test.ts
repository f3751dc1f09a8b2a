import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cover, projectWith, scratch } from './fixtures/scratch.ts';
import { recordOf } from './record.ts';
import { openTrustStore } from './store.ts';

const AT = new Date('2026-01-02T03:04:05Z');
const record = (text = 'echo 1\n', line = './g.sh') =>
  recordOf(cover(projectWith({ 'g.sh*': text }), line), AT);
const hex = (key: string) => key.slice('sha256:'.length);

test('an added record is found by the next process, and a revoked one is not', () => {
  const folder = join(scratch(), 'deep', 'trust');
  const store = openTrustStore(folder);
  const r = record();
  expect([store.has(r.key), store.list()]).toEqual([false, []]);
  expect([store.add(r), store.add(r)]).toEqual([{ kind: 'added' }, { kind: 'already' }]);
  const again = openTrustStore(folder);
  expect([again.has(r.key), again.list(), again.problems]).toEqual([true, [r], []]);
  expect([again.revoke(r.hash), again.revoke(r.hash), store.has(r.key)]).toEqual([true, false, false]);
});

test('writes one file per hash with mode 0600 in a folder with mode 0700, and nothing else', () => {
  const folder = join(scratch(), 'trust');
  const [a, b] = [record('1'), record('2')];
  for (const r of [a, b]) openTrustStore(folder).add(r);
  expect(readdirSync(folder).toSorted()).toEqual([`${hex(a.key)}.json`, `${hex(b.key)}.json`].toSorted());
  expect([statSync(folder).mode & 0o777, statSync(join(folder, `${hex(a.key)}.json`)).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
});

describe('a damaged record grants no trust, is reported, and is not deleted', () => {
  const spoils: [title: string, spoil: (file: string, folder: string) => void][] = [
    ['empty', (f) => truncateSync(f)],
    ['cut short', (f) => truncateSync(f, 100)],
    ['not JSON', (f) => writeFileSync(f, 'yes')],
    ['another shape', (f) => writeFileSync(f, '{"version":1}')],
    [
      'a bit flipped in its text',
      (f) => writeFileSync(f, readFileSync(f, 'utf8').replace('echo 1', 'echo 2')),
    ],
    [
      'a file hash exchanged',
      (f) => writeFileSync(f, readFileSync(f, 'utf8').replace(/"sha256": "./, '"sha256": "x')),
    ],
    ['the entry exchanged', (f) => writeFileSync(f, readFileSync(f, 'utf8').replace('PreToolUse', 'Stop'))],
    ['writable by others', (f) => chmodSync(f, 0o666)],
    ['in a folder writable by others', (_, folder) => chmodSync(folder, 0o777)],
    [
      'a folder',
      (f) => {
        rmSync(f);
        mkdirSync(f);
      },
    ],
    [
      'a link',
      (f) => {
        const to = `${f}.real`;
        writeFileSync(to, readFileSync(f), { mode: 0o600 });
        rmSync(f);
        symlinkSync(to, f);
      },
    ],
  ];
  test.each(spoils)('%s', (_, spoil) => {
    const folder = join(scratch(), 'trust');
    const r = record();
    openTrustStore(folder).add(r);
    const file = join(folder, `${hex(r.key)}.json`);
    spoil(file, folder);
    const store = openTrustStore(folder);
    expect([store.has(r.key), store.list(), existsSync(file)]).toEqual([false, [], true]);
    expect(store.problems.map((p) => [p.code, p.file, p.severity])).toEqual([
      ['file-unreadable', file, 'error'],
    ]);
  });

  test('trusting again writes a complete record and keeps the damaged one next to it', () => {
    const folder = join(scratch(), 'trust');
    const r = record();
    openTrustStore(folder).add(r);
    writeFileSync(join(folder, `${hex(r.key)}.json`), 'damaged');
    const store = openTrustStore(folder);
    expect([store.add(r), store.has(r.key), store.problems]).toEqual([{ kind: 'added' }, true, []]);
    const kept = readdirSync(folder).find((n) => n.includes('.damaged-')) ?? '';
    expect(readFileSync(join(folder, kept), 'utf8')).toBe('damaged');
  });
});

test('a record under another name grants no trust, so a copied file trusts nothing else', () => {
  const folder = join(scratch(), 'trust');
  const [a, b] = [record('1'), record('2')];
  openTrustStore(folder).add(a);
  writeFileSync(join(folder, `${hex(b.key)}.json`), readFileSync(join(folder, `${hex(a.key)}.json`)), {
    mode: 0o600,
  });
  expect(openTrustStore(folder).has(b.key)).toBe(false);
});

test.each([[undefined], ['relative/path'], ['/dev/null/trust'], ['/proc/anyhook/trust']])(
  'without a usable home (%s) nothing is trusted, and adding reports why',
  (folder) => {
    const store = openTrustStore(folder);
    const r = record();
    const added = store.add(r);
    expect([store.has(r.key), store.list(), store.revoke(r.hash), added.kind]).toEqual([
      false,
      [],
      false,
      'failed',
    ]);
    expect(added.kind === 'failed' && added.problem.remedy).toBeTruthy();
  },
);

test.each([['../../../../etc/passwd'], ['sha256:../../x'], [`sha256:${'g'.repeat(64)}`], ['']])(
  '%j is not a file of the store',
  (name) => {
    const folder = scratch();
    const store = openTrustStore(join(folder, 'trust'));
    writeFileSync(join(folder, 'x.json'), '{}');
    expect([store.has(name), store.revoke(name), existsSync(join(folder, 'x.json'))]).toEqual([
      false,
      false,
      true,
    ]);
  },
);

test('the predecessor of an entry is the newest record of the same identity, preferably of the same entry', () => {
  const project = projectWith({ 'g.sh*': '1' });
  const store = openTrustStore(join(scratch(), 'trust'));
  const at = (text: string, line: string, day: number) => {
    writeFileSync(join(project.root, 'g.sh'), text);
    const r = recordOf(cover(project, line), new Date(Date.UTC(2026, 0, day)));
    store.add(r);
    return r;
  };
  const [, second, third] = [at('1', './g.sh', 1), at('2', './g.sh', 2), at('3', './g.sh --other', 3)];
  expect(store.previous(second.identity, second.entry)).toEqual(second);
  expect(store.previous(second.identity, 'none of them')).toEqual(third);
  expect(store.previous('nobody', second.entry)).toBeUndefined();
});
