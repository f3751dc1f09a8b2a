/**
 * Puts a policy version in force. Writes it to a folder of its own, verifies it, and then replaces the file that names
 * the current version by a rename. A kill at any moment leaves a complete version in force.
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
/** A file in the folder of a version with the hash of its archive. */
const HASH = 'archive.sha256';
const STAGING = '.staging-';

export interface AppliedPolicy {
  readonly version: number;
  /** 0 if no version was in force. */
  readonly before: number;
  /** Whether this version was already in force. */
  readonly isSame: boolean;
}

export async function applyPolicy(bytes: Uint8Array, managed: ManagedFolder): Promise<AppliedPolicy> {
  const [loose] = looseEnds(withPolicyInForce({ managed }).managed);
  if (loose !== undefined) throw new PolicyError(`is not applied: ${problemText(loose)}`);
  const archive = await openArchive(bytes, keysOf(managed));
  const umask = process.umask(0o022); // Agents of all users must be able to read it.
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
      `cannot be checked: ${file} is not there; put the public key of your policy signer into it`,
    );
  return publicKeysIn(readFileSync(file, 'utf8'));
}

function switchTo(archive: PolicyArchive, managed: ManagedFolder): AppliedPolicy {
  const { version } = archive;
  const now = withPolicyInForce({ managed }).managed;
  const { policy, isSound } = readPolicy(now);
  // The same version may repair a damaged one, which refuses every call.
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
  rmSync(place, { recursive: true, force: true }); // Left by a process that was killed before it named its version.
  renameSync(staged, place);
  flush(dirname(place));
}

/** Switches to another version atomically. */
function name(version: number, { folder }: ManagedFolder): void {
  const next = join(folder, VERSIONS, `${STAGING}${CURRENT}`);
  writeFileSync(next, `${version}\n`, { flush: true, mode: 0o644 });
  renameSync(next, join(folder, CURRENT));
  flush(folder);
}

/** Keeps the previous version for processes that still read it. */
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

/** Flushes a rename to disk. */
function flush(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Serializes `apply` on this machine. A lock of a killed process is taken over. */
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

/** A lock file without a process id was left by a process that was killed while writing it. */
function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
