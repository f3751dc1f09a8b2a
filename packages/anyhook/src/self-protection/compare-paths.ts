/** Compares paths as the least exact file system does. */

/**
 * For comparing only: ignores case, Unicode forms, invisible letters, trailing dots and alternate streams. Two names with
 * the same result may be one file on some system, so they count as one.
 */
export function fold(path: string): string {
  const letters = PLAIN.test(path) ? path : path.normalize('NFKC').replace(INVISIBLE, '');
  const folded = letters.toLowerCase().replaceAll('\\', '/');
  if (!HAS_TAIL.test(folded)) return folded;
  return folded
    .split('/')
    .map((name) => (name === '.' || name === '..' ? name : name.replace(/(?<=.):.*$|[. ]+$/g, '')))
    .join('/');
}
// Long texts are folded often, and most of them need none of the costly steps.
const PLAIN = /^[\x20-\x7e\n\t]*$/;
const HAS_TAIL = /:|[. ](?:\/|$)/;
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Whether a path is the folder or lies below it, by their spelling. */
export const isBelow = (folder: string, path: string): boolean =>
  `${path}/`.startsWith(`${folder.replace(/\/$/, '')}/`);
