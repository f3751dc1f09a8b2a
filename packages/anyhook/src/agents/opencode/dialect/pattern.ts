/** Which files a key of `file_edited` is about. */
import { basename, relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';

/** `.ts`, as OpenCode's own keys were. */
const ENDING = /^\.[\w-]+(?:\.[\w-]+)*$/;

/**
 * A pattern without a slash is about the base name, one with a slash about the path below the project, one that begins with
 * a slash about the whole path. Throws a TypeError for what is no pattern.
 */
export function filePattern(pattern: string): (file: string, project: string) => boolean {
  const fits = picomatch(pattern.replace(/^\.\//, ''), { dot: true });
  return (file, project) => {
    const full = resolve(project, file);
    if (pattern.includes('/'))
      return fits((pattern.startsWith('/') ? full : relative(project, full)).replaceAll(sep, '/'));
    const name = basename(full);
    return fits(name) || (ENDING.test(pattern) && name.endsWith(pattern));
  };
}
