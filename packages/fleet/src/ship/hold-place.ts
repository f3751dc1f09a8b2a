import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHIPPED } from 'anyhook/journal';

/**
 * Locks a destination, because two senders of the same journals would share its cursors. The lock contains the process
 * id and its start time.
 */
export function holdPlace(folder: string, key: string): () => void {
  mkdirSync(join(folder, SHIPPED), { recursive: true, mode: 0o700 });
  const file = join(folder, SHIPPED, `${key}.lock`);
  const own = `${file}.${process.pid}`;
  writeFileSync(own, `${process.pid} ${startOf(process.pid)}`, { mode: 0o600 });
  try {
    for (;;) {
      try {
        linkSync(own, file); // Fails if the lock exists and never leaves an incomplete file.
        return () => rmSync(file, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        const holder = holderIn(file);
        if (holder !== undefined && holder !== process.pid)
          throw new Error(`process ${holder} sends the journals of ${folder} there already`, {
            cause: error,
          });
        rmSync(file, { force: true }); // The holder was killed.
      }
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** Undefined if the holder has exited. After a reboot its process id may belong to another process. */
function holderIn(file: string): number | undefined {
  try {
    const [pid = 0, start = ''] = readFileSync(file, 'utf8').split(' ');
    return Number(pid) > 0 && isAlive(Number(pid)) && startOf(Number(pid)) === start
      ? Number(pid)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Start time of a process in units of the system; empty if unknown. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
