import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Returns the folder, or its nearest existing parent. Checked before a start, because a missing folder and a
 * missing program cause the same error.
 * @param {string} wanted
 */
export function nearestFolder(wanted) {
  for (let at = resolve(wanted); ; at = dirname(at)) {
    if (folderExists(at) || at === dirname(at)) return at;
  }
}

/** @param {string} path */
export function folderExists(path) {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
