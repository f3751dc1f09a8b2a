// Caches compiled code by a hash of its source, so that the same text is never compiled twice. Files that
// another user could have written are ignored.

import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';

/** Increase it when the same text compiles to different code. */
const FORMAT = '2';
const MOST_FILES = 4_000;

/**
 * Returns the user's cache folder. Undefined if the environment points into the working directory, whose
 * content may belong to a project.
 */
export function keptFolder() {
  const state = process.env['XDG_STATE_HOME'] ?? '';
  const folder = join(isAbsolute(state) ? state : join(homedir(), '.local', 'state'), 'anyhook', 'compiled');
  const way = relative(process.cwd(), folder);
  return isAbsolute(state) && !way.startsWith('..') && !isAbsolute(way) ? undefined : folder;
}

/**
 * @param {string | undefined} folder
 * @param {readonly string[]} parts everything that the compiled code depends on
 * @param {() => string} make
 * @returns {string}
 */
export function keptCode(folder, parts, make) {
  if (folder === undefined) return make();
  const hash = createHash('sha256').update(FORMAT);
  for (const part of parts) hash.update(`\0${part.length}\0`).update(part);
  const file = join(folder, `${hash.digest('hex')}.js`);
  const known = isPrivate(folder) ? read(file) : undefined;
  if (known !== undefined) return known;
  const made = make();
  keep(folder, file, made);
  return made;
}

/** The first line is a hash of the rest, so that a truncated file is ignored. @param {string} file */
function read(file) {
  let fd;
  try {
    fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const status = fstatSync(fd);
    if (!status.isFile() || !isOwn(status)) return undefined;
    const text = readFileSync(fd, 'utf8');
    const code = text.slice(SEAL_LENGTH + 1);
    return text.slice(0, SEAL_LENGTH) === sealOf(code) ? code : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** A failed write only costs time. @param {string} folder @param {string} file @param {string} code */
function keep(folder, file, code) {
  const aside = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivate(folder)) return;
    writeFileSync(aside, `${sealOf(code)}\n${code}`, { mode: 0o600, flag: 'wx' });
    renameSync(aside, file);
    thinOut(folder);
  } catch {
    rmSync(aside, { force: true });
  }
}

/** Removes the older half if there are too many files. @param {string} folder */
function thinOut(folder) {
  const files = readdirSync(folder);
  if (files.length <= MOST_FILES) return;
  const byAge = files
    .map((name) => ({ name, at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((one, other) => one.at - other.at);
  for (const { name } of byAge.slice(0, files.length / 2)) rmSync(join(folder, name), { force: true });
}

/** @param {string} folder */
function isPrivate(folder) {
  const status = lstatSync(folder, { throwIfNoEntry: false });
  return status?.isDirectory() === true && isOwn(status);
}

/**
 * Returns true if the file belongs to this user and no other user has access.
 * @param {import('node:fs').Stats} status
 */
const isOwn = ({ uid, mode }) =>
  process.platform === 'win32' || (uid === process.getuid?.() && (mode & 0o077) === 0);

/** @param {string} code */
const sealOf = (code) => `// ${createHash('sha256').update(code).digest('hex')}`;
const SEAL_LENGTH = 3 + 64;
