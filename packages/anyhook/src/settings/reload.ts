/** Writes the file that tells running hosts to read their settings again. */

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { textOfFile } from './read-file.ts';

export function askForReload(file: string): void {
  makeFolder(dirname(file));
  writeFileSync(file, `${new Date().toISOString()} ${randomBytes(8).toString('hex')}\n`, { mode: 0o600 });
}

/** A different text means a new request. */
export const stampOf = (file: string): string => textOfFile(file) ?? '';
