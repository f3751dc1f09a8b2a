import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Private folders contain the mark of their session, so that whoever ends last can remove them. */
export const PREFIX = 'anyhook-';

/** @param {string} mark `<session>-<number>/` */
export const privatePath = (mark) => join(tmpdir(), PREFIX + mark.slice(0, -1));

/**
 * Writes each content to a file that only the user can read. Returns the variables with the paths.
 * @param {Readonly<Record<string, string>> | undefined} files
 * @param {string} mark
 */
export function privateFiles(files, mark) {
  if (files === undefined || Object.keys(files).length === 0) return { env: {}, remove() {} };
  const folder = privatePath(mark);
  const remove = () => clear(folder);
  // Not recursive on purpose: an existing folder belongs to someone else.
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
 * Removes what killed runs of a session left behind.
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
    // The hook put something there that cannot be removed.
  }
}
