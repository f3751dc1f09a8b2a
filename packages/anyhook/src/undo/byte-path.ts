/**
 * Paths as byte strings: each character is one byte of the name on disk. A name that is not UTF-8 stays exact in this form, which is what
 * Node calls `latin1`.
 */

export const bytePath = (text: string): string =>
  isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');

/** For people: bytes that are no UTF-8 become the replacement character. */
export const shownPath = (path: string): string =>
  isAscii(path) ? path : Buffer.from(path, 'latin1').toString('utf8');

/** What the functions of `node:fs` take. */
export const diskPath = (path: string): string | Buffer =>
  isAscii(path) ? path : Buffer.from(path, 'latin1');

export const joinedPath = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`;

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

// oxlint-disable-next-line no-control-regex -- the range is the definition of ASCII
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
