import { statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { packageFile } from '../own-files.mjs';

/** The program that clients start: its path identifies the installation, its file the build. */
export const OWN_PROGRAM = packageFile('dist/bin/anyhook.cjs');
/** Everything that is built with it. */
export const PROGRAM_FOLDER = `${dirname(dirname(OWN_PROGRAM))}${sep}`;

/** Changes whenever another build is installed at the same path. */
export function programMark(): string {
  const status = statSync(OWN_PROGRAM, { throwIfNoEntry: false });
  return status === undefined ? '' : `${status.ino} ${status.size} ${status.mtimeMs} ${status.ctimeMs}`;
}
