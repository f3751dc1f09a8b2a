import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Private folders of one session are called by its mark, so that whoever outlives the others can clear them away. */
export const PREFIX = 'anyhook-';

/** @param {string} mark `<session>-<number>/` */
export const privatePath = (mark) => join(tmpdir(), PREFIX + mark.slice(0, -1));

/**
 * Writes each content to a file that only its owner can read, and says which variable holds which path.
 * @param {Readonly<Record<string, string>> | undefined} files
 * @param {string} mark
 */
export function privateFiles(files, mark) {
  if (files === undefined || Object.keys(files).length === 0) return { env: {}, remove() {} };
  const folder = privatePath(mark);
  const remove = () => clear(folder);
  // Not recursive on purpose: a folder that is already there is somebody else's.
  mkdirSync(folder, { mode: 0o700 });
  try {
    const paths = Object.entries(files).map(([name, content], index) => {
      const path = join(folder, `${index}-${name.replaceAll(/[^\w.-]/g, '_').slice(0, 100)}`);
      writeFileSync(path, content, { mode: 0o600, flag: 'wx' });
      return /** @type {const} */ ([name, path]);
    });
    return { env: Object.fromEntries(paths), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * What killed runs of a session have left.
 * @param {string} session
 */
export function removePrivateFiles(session) {
  for (const name of readdirSync(tmpdir()))
    if (name.startsWith(`${PREFIX}${session}-`)) clear(join(tmpdir(), name));
}

/** @param {string} path */
function clear(path) {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The hook has put something there that we may not remove; it is the hook's to account for.
  }
}
