/** Programs that start hooks are installed beside our files. A bundle lacks them, and every call would be refused. */

import { existsSync } from 'node:fs';
import { BUNDLED, ownFile } from '../own-files.mjs';

let isHere: boolean | undefined;

/** Throws at the start if we were bundled, instead of failing at every call. */
export function checkOwnPackage(): void {
  isHere ??= look();
  if (isHere) return;
  throw new Error(BUNDLED);
}

function look(): boolean {
  try {
    return existsSync(ownFile('runners/command/helper.mjs')); // every host needs it
  } catch {
    return false; // bundled: modules have no URL there
  }
}
