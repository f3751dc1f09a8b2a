/** One at a time on this machine; what a killed process left behind is taken over. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { PolicyError } from './archive.ts';

export function withLock<T>(file: string, work: () => T): T {
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
