import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What agents start when no engine answers. */
export const BIN = fileURLToPath(new URL('../../bin/anyhook.cjs', import.meta.url));
/** Everything that is built with it: another build of it is another mark. */
export const BUILT = `${dirname(dirname(BIN))}/`;

/** What is installed now: another build, another mark. */
export function buildMark(): string {
  const status = statSync(BIN, { throwIfNoEntry: false });
  return status === undefined
    ? ''
    : `${BIN} ${status.ino} ${status.size} ${status.mtimeMs} ${status.ctimeMs}`;
}
