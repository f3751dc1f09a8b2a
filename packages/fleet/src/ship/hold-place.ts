import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHIPPED } from 'anyhook/journal';

/** Two that send the same journals to the same place would share their cursors. Who holds it is said by its process id and its start. */
export function holdPlace(folder: string, key: string): () => void {
  mkdirSync(join(folder, SHIPPED), { recursive: true, mode: 0o700 });
  const file = join(folder, SHIPPED, `${key}.lock`);
  const own = `${file}.${process.pid}`;
  writeFileSync(own, `${process.pid} ${startOf(process.pid)}`, { mode: 0o600 });
  try {
    for (;;) {
      try {
        linkSync(own, file); // fails where the name is taken, and never leaves half a file
        return () => rmSync(file, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        const holder = holderIn(file);
        if (holder !== undefined && holder !== process.pid)
          throw new Error(`process ${holder} sends the journals of ${folder} there already`, {
            cause: error,
          });
        rmSync(file, { force: true }); // its holder was killed
      }
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** Undefined: nobody any more. After a restart of the machine its number may be another's. */
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

/** When it was started, in the system's own count; empty where the system does not say. */
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
