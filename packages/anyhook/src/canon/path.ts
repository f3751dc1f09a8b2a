/**
 * What `node:path` says, sooner. Node goes through a path letter by letter, a fire asks it two thousand times, and in a program
 * that lives for one event nothing of that is ever compiled. Nearly always the path is in order and a search for slashes will
 * do; where it is not, Node is asked. The bundler puts this in the place of `node:path` (`scripts/bundle.mjs`).
 */
import path from 'node:path';

export const { delimiter, extname, parse, posix, relative, sep } = path;

/** Holds an empty step, `.` or `..`. */
const UNTIDY = /\/\/|(?:^|\/)\.\.?(?:\/|$)/;
const SLASH = 47;
/** Whether the last step has a name. */
const isNamed = (text: string): boolean =>
  typeof text === 'string' && text !== '' && text.charCodeAt(text.length - 1) !== SLASH;

function joinPosix(...parts: string[]): string {
  for (const part of parts) if (typeof part !== 'string' || part === '') return path.join(...parts);
  const joined = parts.join('/');
  return joined === '' || UNTIDY.test(joined) ? path.join(...parts) : joined;
}

function resolvePosix(...parts: string[]): string {
  const [first, last] = [parts[0]!, parts.at(-1)!];
  if (!isNamed(last)) return path.resolve(...parts);
  const isBelow = parts.length === 2 && last.charCodeAt(0) !== SLASH && isNamed(first);
  const whole = isBelow ? `${first}/${last}` : last;
  return whole.charCodeAt(0) !== SLASH || UNTIDY.test(whole) ? path.resolve(...parts) : whole;
}

function dirnamePosix(text: string): string {
  const at = isNamed(text) ? text.lastIndexOf('/') : 0;
  return at > 1 ? text.slice(0, at) : path.dirname(text);
}

const basenamePosix = (text: string, ending?: string): string =>
  isNamed(text) && ending === undefined ? text.slice(text.lastIndexOf('/') + 1) : path.basename(text, ending);

const normalizePosix = (text: string): string =>
  typeof text !== 'string' || text === '' || UNTIDY.test(text) ? path.normalize(text) : text;

const isAbsolutePosix = (text: string): boolean =>
  typeof text === 'string' ? text.charCodeAt(0) === SLASH : path.isAbsolute(text);

export const { basename, dirname, isAbsolute, join, normalize, resolve } =
  sep === '/'
    ? {
        basename: basenamePosix,
        dirname: dirnamePosix,
        isAbsolute: isAbsolutePosix,
        join: joinPosix,
        normalize: normalizePosix,
        resolve: resolvePosix,
      }
    : path;
