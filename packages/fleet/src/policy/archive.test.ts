/** Archives must be signed by a known key and may contain only plain files in their own folder. */

import { generateKeyPairSync, sign } from 'node:crypto';
import { pack } from 'tar-stream';
import { describe, expect, test } from 'vitest';
import { LIST, openArchive, packPolicy, publicKeysIn } from './archive.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const FILES = [
  { name: 'policy.json', bytes: Buffer.from('{"version": 3}') },
  { name: 'hooks/guard.mjs', bytes: Buffer.from('export default 1;\n') },
];

/** An archive as a forger could write it: any entries in any order. */
async function tarOf(entries: readonly (readonly [object, (string | Buffer)?])[]): Promise<Buffer> {
  const tar = pack();
  for (const [header, bytes] of entries) tar.entry({ name: '', mtime: new Date(0), ...header }, bytes ?? '');
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
const listOf = (files: readonly object[], version = 3) =>
  Buffer.from(JSON.stringify({ format: 1, version, files }));
const signed = (list: Buffer, key = privateKey) =>
  [
    [{ name: LIST }, list],
    [{ name: 'anyhook-policy.sig' }, sign(null, list, key).toString('base64')],
  ] as const;
const NONE = listOf([]);

describe('an archive', () => {
  test('an archive returns the files that were packed', async () => {
    const { version, files } = await openArchive(await packPolicy(3, FILES, privateKey), [publicKey]);
    expect([version, files.map(({ name, bytes }) => [name, bytes.toString()])]).toEqual([
      3,
      [
        ['hooks/guard.mjs', 'export default 1;\n'],
        ['policy.json', '{"version": 3}'],
      ],
    ]);
  });

  test('an archive has the same bytes for the same files in any order', async () => {
    const archive = await packPolicy(3, FILES, privateKey);
    expect(await packPolicy(3, FILES.toReversed(), privateKey)).toEqual(archive);
    expect((await packPolicy(4, FILES, privateKey)).equals(archive)).toBe(false);
  });

  test('an archive is accepted if one of the known keys signed it, and rejected otherwise', async () => {
    const other = generateKeyPairSync('ed25519');
    const archive = await packPolicy(3, FILES, privateKey);
    expect((await openArchive(archive, [other.publicKey, publicKey])).version).toBe(3);
    await expect(openArchive(archive, [other.publicKey])).rejects.toThrow(/not signed by a key/);
    await expect(openArchive(archive, [])).rejects.toThrow(/not signed by a key/);
  });

  test('an archive with one changed byte in a file is rejected', async () => {
    const archive = await packPolicy(3, FILES, privateKey);
    archive[archive.indexOf('export default')] = 0x45;
    await expect(openArchive(archive, [publicKey])).rejects.toThrow(
      /another "hooks\/guard.mjs" than was signed/,
    );
  });

  const HELD = {
    name: 'a',
    bytes: 1,
    sha256: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
  };
  test.each([
    [
      'a link',
      [...signed(NONE), [{ name: 'policy.json', type: 'symlink', linkname: '/etc/shadow' }]],
      /a symlink: only plain files/,
    ],
    [
      'a hard link',
      [...signed(NONE), [{ name: 'x', type: 'link', linkname: '/etc/shadow' }]],
      /a link: only plain files/,
    ],
    ['a folder', [...signed(NONE), [{ name: 'x', type: 'directory' }]], /only plain files/],
    ['a device', [...signed(NONE), [{ name: 'x', type: 'character-device' }]], /only plain files/],
    ['an absolute name', [...signed(NONE), [{ name: '/etc/passwd' }, 'x']], /only relative names/],
    ['a name that leads out', [...signed(NONE), [{ name: 'hooks/../../x' }, 'x']], /only relative names/],
    ['a name with a backslash', [...signed(NONE), [{ name: 'a\\b' }, 'x']], /only relative names/],
    ['a file that is not listed', [...signed(NONE), [{ name: 'extra' }, 'x']], /lists 0 files and holds 1/],
    ['less than is listed', signed(listOf([HELD])), /lists 1 files and holds 0/],
    [
      'one file twice',
      [...signed(listOf([HELD, HELD])), [{ name: 'a' }, 'a'], [{ name: 'a' }, 'a']],
      /lists 2 files and holds 2/,
    ],
    ['no signature', [[{ name: LIST }, NONE]], /is not a policy/],
    [
      'a signature of nothing',
      [
        [{ name: LIST }, NONE],
        [{ name: 'anyhook-policy.sig' }, ''],
      ],
      /not signed by a key/,
    ],
    ['a list that is none', signed(Buffer.from('[]')), /list that cannot be read/],
  ] as const)('that holds %s is refused', async (_, entries, why) => {
    const archive = await tarOf(entries as Parameters<typeof tarOf>[0]);
    await expect(openArchive(archive, [publicKey])).rejects.toThrow(why);
  });

  test('an archive that is not a tar file or is truncated is rejected', async () => {
    await expect(openArchive(Buffer.from('hello'.repeat(300)), [publicKey])).rejects.toThrow();
    const archive = await packPolicy(3, FILES, privateKey);
    for (let length = 0; length < archive.length - 1024; length += 97)
      await expect(openArchive(archive.subarray(0, length), [publicKey])).rejects.toThrow();
  });
});

test('keys of other types are rejected', () => {
  const { publicKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const pem = (key: typeof publicKey) => key.export({ type: 'spki', format: 'pem' }) as string;
  expect(publicKeysIn(`${pem(publicKey)}\n# the next one\n${pem(publicKey)}`)).toHaveLength(2);
  expect(() => publicKeysIn(pem(rsa))).toThrow(/ed25519 is wanted/);
});
