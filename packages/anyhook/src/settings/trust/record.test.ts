import { describe, expect, test } from 'vitest';
import type { TrustEntry } from './entry.ts';
import { argvCommand, command, cover, projectWith } from './fixtures/scratch.ts';
import { trustedFilesOf } from './gathering.ts';
import { canonicalEntry, joined, sha256, trustHash, type BoundFacts } from './hash.ts';
import { boundOf, identityOf, keyOf, readTrustRecord, recordOf, type TrustRecord } from './record.ts';
import type { TrustedFile } from './trusted-files.ts';

const AT = new Date('2026-01-02T03:04:05Z');
const BINARY = Buffer.from([0xff, 0xfe]);
const file = (name: string, bytes: Buffer): TrustedFile => ({
  name,
  bytes,
  executable: false,
  sha256: sha256(bytes),
  reads: [],
});

describe('a record', () => {
  test('a record contains what is bound, the texts, and the project, settings and time for display', () => {
    const project = projectWith({ 'g.sh*': 'echo 1\n', 'l.sh': ':\n' });
    const covered = cover(project, '. ./l.sh; ./g.sh');
    const entry = canonicalEntry(covered.entry, project.root);
    const files = [
      { name: 'g.sh', executable: true, sha256: sha256('echo 1\n') },
      { name: 'l.sh', executable: false, sha256: sha256(':\n') },
    ];
    const hash = trustHash({ entry, files, links: [] });
    expect(recordOf(covered, AT)).toEqual({
      version: 1,
      hash,
      key: keyOf(hash, covered),
      identity: identityOf(covered),
      entry,
      files: [
        { ...files[0], text: 'echo 1\n' },
        { ...files[1], text: ':\n' },
      ],
      links: [],
      project: project.root,
      settings: covered.entry.file,
      at: '2026-01-02T03:04:05.000Z',
    });
  });

  test('a record contains no text that is not UTF-8 or longer than 64 KiB', () => {
    const covered = cover(projectWith({}), 'true');
    const [most, more] = [Buffer.alloc(64 * 1024, 'a'), Buffer.alloc(64 * 1024 + 1, 'a')];
    const { files } = recordOf(
      { ...covered, files: [file('binary', BINARY), file('most', most), file('more', more)] },
      AT,
    );
    expect(files).toEqual([
      { name: 'binary', executable: false, sha256: sha256(BINARY) },
      { name: 'most', executable: false, sha256: sha256(most), text: most.toString() },
      { name: 'more', executable: false, sha256: sha256(more) },
    ]);
  });

  test('a record contains at most 512 KiB of text, including later files that still fit', () => {
    const covered = cover(projectWith({}), 'true');
    const large = Array.from({ length: 9 }, (_, at) => file(`${at}`, Buffer.alloc(63 * 1024, 'a')));
    const last = [file('9 KiB', Buffer.alloc(9 * 1024, 'a')), file('8 KiB', Buffer.alloc(8 * 1024, 'a'))];
    const { files } = recordOf({ ...covered, files: [...large, ...last] }, AT);
    expect(files.flatMap(({ name, text }) => (text === undefined ? [] : [name]))).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8 KiB',
    ]);
  });

  test('binds the folders that the user chose, and omits the field without folders', () => {
    const covered = cover(projectWith({ 'g.sh*': ':' }), './g.sh');
    const { folders, ...rest } = boundOf({ ...covered, asked: ['lib'] });
    expect([folders, rest]).toEqual([['lib'], boundOf(covered)]);
    expect(Object.keys(rest)).toEqual(['entry', 'files', 'links']);
  });
});

test('fully known content is stored under its hash, anything else per project', () => {
  const project = projectWith({ 'g.sh*': ':' });
  const covered = cover(project, './g.sh');
  const here = `sha256:${sha256(joined(['in one project', 'the hash', project.root]))}`;
  expect([
    keyOf('the hash', covered),
    keyOf('the hash', { ...covered, doubts: ['it reads a file that nobody can name'] }),
    keyOf('the hash', { ...covered, files: [] }),
  ]).toEqual(['the hash', here, here]);
});

describe('the identity of an entry', () => {
  const project = projectWithNothing();
  const of = (entry: TrustEntry) => identityOf(trustedFilesOf(entry, project, {}));
  const about = (...parts: string[]) =>
    sha256(joined([`${project.root}/.claude/settings.json`, 'claude-code', 'PreToolUse', ...parts]));

  test('the identity of an entry is its settings file, dialect, event and named files', () => {
    const withFiles = { ...cover(project, 'true'), direct: ['a.sh', 'b.sh'] };
    expect(identityOf(withFiles)).toBe(about('a.sh', 'b.sh'));
  });

  test('the identity of an entry without files uses its program', () => {
    expect([of(command(project, '  npm\trun lint')), of(command(project, 'npm'))]).toEqual([
      about('npm'),
      about('npm'),
    ]);
    expect(of({ ...argvCommand(project, ['npm', 'run']), fields: command(project, '').fields })).toBe(
      about('npm'),
    );
  });

  test('the identity of an entry without a command uses its kind', () => {
    expect(of({ ...command(project, ''), named: { kind: 'text' } })).toBe(about('text'));
  });
});

describe('a stored text', () => {
  const project = projectWithNothing();
  const bound: BoundFacts = {
    entry: '{}',
    files: [{ name: 'g.sh', executable: true, sha256: sha256(':') }],
    links: [{ name: 'l', target: 'g.sh' }],
    folders: ['lib'],
  };
  const kept: TrustRecord = {
    version: 1,
    hash: trustHash(bound),
    key: `sha256:${'a'.repeat(64)}`,
    identity: 'i',
    ...bound,
    files: [{ ...bound.files[0]!, text: ':' }],
    project: project.root,
    settings: 's.json',
    at: AT.toISOString(),
  };
  const read = (value: unknown, key: string = kept.key) => readTrustRecord(JSON.stringify(value), key);

  test('a stored text is read back, with or without folders, links, files and texts', () => {
    const { folders: _folders, ...bare } = { ...kept, links: [], files: [] };
    const plain = { ...bare, hash: trustHash({ entry: '{}', files: [], links: [] }) };
    const untold = { ...kept, files: bound.files };
    expect([kept, plain, untold].map((one) => read(one))).toEqual([kept, plain, untold]);
  });

  test('a stored text under another or invalid key is rejected', () => {
    expect([read(kept, `sha256:${'b'.repeat(64)}`), read({ ...kept, key: 'me' }, 'me')]).toEqual([
      undefined,
      undefined,
    ]);
  });

  const rebound = (change: object) => {
    const changed = { ...kept, ...change };
    return { ...changed, hash: trustHash(changed) };
  };
  test.each<[what: string, record: unknown]>([
    ['no object', [kept]],
    ['null', null],
    ['of another version', { ...kept, version: 2 }],
    ['with the hash of something else', { ...kept, hash: `sha256:${'c'.repeat(64)}` }],
    ['with another entry', { ...kept, entry: '[]' }],
    ['with a text that is not what was hashed', { ...kept, files: [{ ...kept.files[0]!, text: '::' }] }],
    ...['identity', 'project', 'settings', 'at'].map((name): [string, unknown] => [
      `without ${name}`,
      { ...kept, [name]: undefined },
    ]),
    ['with folders that are no list', { ...kept, folders: 'lib' }],
    ['with a folder that is no text', { ...kept, folders: ['lib', 7] }],
    ['with files that are no list', { ...kept, files: {} }],
    ['with links that are no list', { ...kept, links: {} }],
    ['with a file that is none', { ...kept, files: [null] }],
    ['with a file without a name', { ...kept, files: [{ ...kept.files[0]!, name: 7 }] }],
    ['with a bit that is no bit', rebound({ files: [{ ...kept.files[0]!, executable: 'yes' }] })],
    ['with a file without a hash', { ...kept, files: [{ ...bound.files[0]!, sha256: 7 }] }],
    ['with a text that is no text', { ...kept, files: [{ ...kept.files[0]!, text: 7 }] }],
    ['with a link that is none', { ...kept, links: ['l'] }],
    ['with a link without a name', { ...kept, links: [{ name: 7, target: 'g.sh' }] }],
    ['with a link to nowhere', { ...kept, links: [{ name: 'l', target: 7 }] }],
  ])('%s is not a record', (_, record) => {
    expect(read(record)).toBeUndefined();
  });

  test('invalid JSON is not a record', () => {
    expect(readTrustRecord('{', kept.key)).toBeUndefined();
  });
});

/** For values only: nothing is written into it. */
function projectWithNothing() {
  return { root: '/nowhere/project' };
}
