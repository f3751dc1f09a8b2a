/**
 * Puts a version of a policy in force. It is written whole beside the others, compared, and only then named: the file that
 * names it is replaced by a rename, so a kill at any moment leaves the one or the other in force, never a part.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  CURRENT,
  looseEnds,
  type ManagedFolder,
  problemText,
  readPolicy,
  VERSIONS,
  withPolicyInForce,
} from 'anyhook/policy';
import { openArchive, type PolicyArchive, publicKeysIn, PolicyError } from './archive.ts';

export const KEY = 'policy.pub';
/** In the folder of a version: the archive that it came from. */
const HASH = 'archive.sha256';
const STAGING = '.staging-';

export interface AppliedPolicy {
  readonly version: number;
  /** 0: none was in force. */
  readonly before: number;
  /** It was in force already. */
  readonly isSame: boolean;
}

export async function applyPolicy(bytes: Uint8Array, managed: ManagedFolder): Promise<AppliedPolicy> {
  const [loose] = looseEnds(withPolicyInForce({ managed }).managed);
  if (loose !== undefined) throw new PolicyError(`is not applied: ${problemText(loose)}`);
  const archive = await openArchive(bytes, keysOf(managed));
  const umask = process.umask(0o022); // every user's agent reads it
  try {
    const versions = join(managed.folder, VERSIONS);
    mkdirSync(versions, { recursive: true });
    return withLock(join(versions, '.lock'), () => switchTo(archive, managed));
  } finally {
    process.umask(umask);
  }
}

function keysOf({ folder }: ManagedFolder) {
  const file = join(folder, KEY);
  if (!existsSync(file))
    throw new PolicyError(
      `cannot be checked: ${file} is not there; put the public key of whoever packs policies into it`,
    );
  return publicKeysIn(readFileSync(file, 'utf8'));
}

function switchTo(archive: PolicyArchive, managed: ManagedFolder): AppliedPolicy {
  const { version } = archive;
  const now = withPolicyInForce({ managed }).managed;
  const { policy, isSound } = readPolicy(now);
  // A version that is broken may be mended by itself: what is in force then refuses everything.
  const before = isSound ? policy.version : Number(now.inForce?.split('/').at(-1) ?? 0) || 0;
  if (version < before)
    throw new PolicyError(
      `is version ${version}, and ${before} is in force: an older one is not taken. Count up, and pack again`,
    );
  const place = join(managed.folder, VERSIONS, String(version));
  if (version === before && now.inForce === place && isSound) {
    if (hashIn(place) === archive.hash) return { version, before, isSame: true };
    throw new PolicyError(`is another version ${version} than the one in force. Count up, and pack again`);
  }
  tidy(managed, [version, before], 'before');
  stage(archive, place, managed);
  name(version, managed);
  tidy(managed, [version, before], 'after');
  return { version, before, isSame: false };
}

function stage({ files, hash, version }: PolicyArchive, place: string, managed: ManagedFolder): void {
  const staged = join(dirname(place), `${STAGING}${process.pid}-${randomBytes(4).toString('hex')}`);
  for (const { name, bytes } of [...files, { name: HASH, bytes: `${hash}\n` }]) {
    const file = join(staged, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes, { flush: true, mode: 0o644 });
  }
  const { policy, isSound, problems } = readPolicy({ ...managed, inForce: staged });
  if (!isSound || policy.version !== version) {
    rmSync(staged, { recursive: true });
    const why =
      problems[0] === undefined ? `its policy.json is version ${policy.version}` : problemText(problems[0]);
    throw new PolicyError(`is signed as version ${version} and is not in order: ${why}`);
  }
  flushFolders(staged);
  rmSync(place, { recursive: true, force: true }); // of one that was ended here before it was named
  renameSync(staged, place);
  flush(dirname(place));
}

/** The one moment at which another version counts. */
function name(version: number, { folder }: ManagedFolder): void {
  const next = join(folder, VERSIONS, `${STAGING}${CURRENT}`);
  writeFileSync(next, `${version}\n`, { flush: true, mode: 0o644 });
  renameSync(next, join(folder, CURRENT));
  flush(folder);
}

/** The one before stays: whoever began to read it finds it whole. */
function tidy({ folder }: ManagedFolder, kept: readonly number[], when: 'before' | 'after'): void {
  const versions = join(folder, VERSIONS);
  const isLeft = (name: string) =>
    name.startsWith(STAGING) || (when === 'after' && /^\d+$/.test(name) && !kept.includes(Number(name)));
  for (const name of readdirSync(versions).filter(isLeft))
    rmSync(join(versions, name), { recursive: true, force: true });
}

const hashIn = (place: string): string | undefined =>
  existsSync(join(place, HASH)) ? readFileSync(join(place, HASH), 'utf8').trim() : undefined;

function flushFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) flushFolders(join(folder, entry.name));
  flush(folder);
}

/** What a rename has done is on the disk, and not only in memory. */
function flush(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** One at a time on this machine; what a killed process left behind is taken over. */
function withLock<T>(file: string, work: () => T): T {
  take(file);
  try {
    return work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file: string): void {
  for (const isLast of [false, true])
    try {
      return writeFileSync(file, `${process.pid}\n`, { flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = Number(readFileSync(file, 'utf8').trim());
      if (isLast || isAlive(holder))
        throw new PolicyError(`is not applied: the process ${holder} is applying another one (${file})`);
      rmSync(file, { force: true });
    }
}

/** A file without a number is of one that was killed while it wrote. */
function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
