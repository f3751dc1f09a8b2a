/**
 * One process at a time works on the snapshots of a project. The lock file names its owner, who renews it while the work goes on: the
 * lock of a process that was killed is taken over.
 */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const RENEW_MS = 2_000;
/** A lock that was not renewed for this long has no owner any more, or the owner is on another machine and gone. */
const STALE_MS = 20_000;
const PAUSE_MS = 5;

export class LockIsTaken extends Error {}

export interface LockWait {
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

export async function withStoreLock<T>(
  file: string,
  { waitMs, signal }: LockWait,
  work: () => Promise<T>,
): Promise<T> {
  const owner = `${process.pid} ${randomBytes(8).toString('hex')}`;
  await take(file, owner, performance.now() + waitMs, signal);
  const timer = setInterval(() => renew(file), RENEW_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (ownerOf(file) === owner) rmSync(file, { force: true });
  }
}

async function take(file: string, owner: string, untilMs: number, signal?: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return create(file, owner);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (isStale(file)) removeStale(file);
    else if (performance.now() > untilMs || signal?.aborted === true)
      throw new LockIsTaken('another process works on these snapshots');
    else await wait(PAUSE_MS);
  }
}

/** On a full disk the lock file is empty and would delay the next processes. */
function create(file: string, owner: string): void {
  const fd = openSync(file, 'wx', 0o600);
  try {
    writeSync(fd, owner);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Of two processes that find the same stale lock, one moves it away; the other finds it gone. */
function removeStale(file: string): void {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(file, aside);
    // Another process may have taken the lock between the check and the rename. Then the file is moved back.
    if (isStale(aside)) rmSync(aside, { force: true });
    else renameSync(aside, file);
  } catch {
    // another process was first
  }
}

function isStale(file: string): boolean {
  const madeMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (madeMs === undefined) return false;
  const ageMs = Date.now() - madeMs;
  if (ageMs > STALE_MS) return true;
  const pid = Number(ownerOf(file)?.split(' ')[0]);
  // Between its creation and the first write a lock names no owner.
  return Number.isInteger(pid) && pid > 0 ? !isRunning(pid) : ageMs > RENEW_MS;
}

function ownerOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
function renew(file: string): void {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    // it was removed by the user, or taken over; the work goes on, because objects and records are written as a whole
  }
}
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
