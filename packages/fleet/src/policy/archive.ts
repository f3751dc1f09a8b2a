/**
 * A policy as one file: a tar whose first entry lists all files with their hashes and whose second entry is the
 * signature of that list. The same folder and key always give the same bytes.
 */

import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { extract, pack } from 'tar-stream';
import * as z from 'zod';

export interface PolicyFile {
  /** Relative to the folder of the policy, with slashes. */
  readonly name: string;
  readonly bytes: Buffer;
}
export interface PolicyArchive {
  readonly version: number;
  readonly files: readonly PolicyFile[];
  /** Hash of the file list, which contains the hash of every file. It identifies the archive. */
  readonly hash: string;
}

export const LIST = 'anyhook-policy.json';
const SIGNATURE = 'anyhook-policy.sig';
const FORMAT = 1;
/** A policy is text. A larger archive could fill the disk when it is unpacked. */
export const MOST_BYTES = 32 * 1024 * 1024;
const MOST_FILES = 2_000;

const LISTED = z.strictObject({
  format: z.literal(FORMAT),
  version: z.int().positive(),
  files: z.array(
    z.strictObject({ name: z.string(), bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
});

/** Thrown for an archive that is rejected. */
export class PolicyError extends Error {}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export async function packPolicy(
  version: number,
  files: readonly PolicyFile[],
  key: KeyObject,
): Promise<Buffer> {
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name } of sorted) checkName(name);
  const listed = sorted.map(({ name, bytes }) => ({ name, bytes: bytes.length, sha256: sha256(bytes) }));
  const list = Buffer.from(`${JSON.stringify({ format: FORMAT, version, files: listed }, null, 1)}\n`);
  const signature = Buffer.from(`${sign(null, list, key).toString('base64')}\n`);
  const tar = pack();
  for (const { name, bytes } of [
    { name: LIST, bytes: list },
    { name: SIGNATURE, bytes: signature },
    ...sorted,
  ])
    tar.entry({ name, mode: 0o644, uid: 0, gid: 0, mtime: new Date(0), type: 'file' }, bytes);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** One of `keys` must have signed the archive. No file is read before the signature of the list is verified. */
export async function openArchive(archive: Uint8Array, keys: readonly KeyObject[]): Promise<PolicyArchive> {
  if (archive.length > MOST_BYTES)
    throw new PolicyError(`has ${archive.length} bytes; at most ${MOST_BYTES} are taken`);
  const entries = await entriesIn(archive);
  const [list, signature, ...files] = entries;
  if (list?.name !== LIST || signature?.name !== SIGNATURE)
    throw new PolicyError('is not a policy archive: it does not start with the file list and the signature');
  const signed = Buffer.from(signature.bytes.toString('ascii').trim(), 'base64');
  if (!keys.some((key) => verify(null, list.bytes, key, signed)))
    throw new PolicyError('is not signed by a key that this machine knows');
  const { version, files: listed } = readList(list.bytes);
  const found = new Map(files.map(({ name, bytes }) => [name, bytes]));
  if (found.size !== files.length || files.length !== listed.length)
    throw new PolicyError(`lists ${listed.length} files and holds ${files.length}`);
  for (const { name, bytes, sha256: hash } of listed) {
    checkName(name);
    const held = found.get(name);
    if (held === undefined || held.length !== bytes || sha256(held) !== hash)
      throw new PolicyError(`holds another ${JSON.stringify(name)} than was signed`);
  }
  return { version, files, hash: sha256(list.bytes) };
}

function readList(bytes: Buffer): z.infer<typeof LISTED> {
  try {
    return LISTED.parse(JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    throw new PolicyError(`has a list that cannot be read: ${(error as Error).message}`);
  }
}

async function entriesIn(archive: Uint8Array): Promise<readonly PolicyFile[]> {
  const entries: PolicyFile[] = [];
  const tar = extract();
  tar.end(archive);
  try {
    for await (const entry of tar) {
      const { name, type } = entry.header;
      if (type !== 'file')
        throw new PolicyError(`holds ${JSON.stringify(name)}, a ${type}: only plain files are taken`);
      if (entries.length >= MOST_FILES) throw new PolicyError(`holds more than ${MOST_FILES} files`);
      checkName(name);
      const chunks: Buffer[] = [];
      for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
      entries.push({ name, bytes: Buffer.concat(chunks) });
    }
  } catch (error) {
    throw error instanceof PolicyError
      ? error
      : new PolicyError(`is not a tar file: ${(error as Error).message}`);
  }
  return entries;
}

/** Names must be relative and must not leave the folder of the version. */
function checkName(name: string): void {
  const parts = name.split('/');
  const isPlain =
    /^[\w.@+ -]+$/.test(parts.join('')) && parts.every((part) => !['', '.', '..'].includes(part));
  if (!isPlain || name.length > 200)
    throw new PolicyError(
      `holds a file of the name ${JSON.stringify(name)}: only relative names below the policy are taken`,
    );
}

/** Several PEM keys may follow each other, so that a key can be replaced gradually. */
export function publicKeysIn(text: string): readonly KeyObject[] {
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[^]*?-----END PUBLIC KEY-----/g) ?? [];
  return blocks.map((block) => ed25519(createPublicKey(block)));
}

export function ed25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519')
    throw new PolicyError(`is signed by ${key.asymmetricKeyType ?? 'no'} key; ed25519 is wanted`);
  return key;
}
