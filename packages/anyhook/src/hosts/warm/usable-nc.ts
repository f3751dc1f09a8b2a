import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const known = new Map<string, string | undefined>();

/** The `nc` of OpenBSD, by what it says of itself: others do not close their side when their input ends. */
export function usableNc(path: string = process.env['PATH'] ?? ''): string | undefined {
  if (!known.has(path))
    known.set(
      path,
      path
        .split(delimiter)
        .map((folder) => join(folder, 'nc'))
        .find(isUsable),
    );
  return known.get(path);
}

export function isUsable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    return false;
  }
  const { stdout, stderr } = spawnSync(file, ['-h'], { encoding: 'utf8', timeout: 5000 });
  const help = `${stdout}${stderr}`;
  return /^\s*-N\b/m.test(help) && /^\s*-U\b/m.test(help);
}
