/** Programs that hooks are started by lie beside our files: in a bundle they are missing, and every call would be refused. */
import { existsSync } from 'node:fs';
import { BUNDLED, ownFile } from '../own-files.mjs';

let isHere: boolean | undefined;

/** Throws where we were bundled: at the start, instead of at every call. */
export function checkOwnPackage(): void {
  isHere ??= look();
  if (isHere) return;
  throw new Error(BUNDLED);
}

function look(): boolean {
  try {
    return existsSync(ownFile('runners/command/helper.mjs')); // every host needs it
  } catch {
    return false; // bundled: a module has no address there
  }
}
