import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * The folder itself, or the nearest one above it that is still there. Looked at before a start, because a missing
 * folder and a missing program give the same error.
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
