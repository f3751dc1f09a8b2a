import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHIPPED } from 'anyhook/journal';

/** Two that send the same journals to the same place would share their cursors. Who holds it is said by its process id. */
export function holdPlace(folder: string, key: string): () => void {
  mkdirSync(join(folder, SHIPPED), { recursive: true, mode: 0o700 });
  const file = join(folder, SHIPPED, `${key}.lock`);
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid), { mode: 0o600 });
  try {
    for (;;) {
      try {
        linkSync(own, file); // fails where the name is taken, and never leaves half a file
        return () => rmSync(file, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        const holder = holderIn(file);
        if (holder !== undefined && holder !== process.pid && isAlive(holder))
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

function holderIn(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
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
