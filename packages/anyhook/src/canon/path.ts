/**
 * What `node:path` says, sooner. Node goes through a path letter by letter, a fire asks it two thousand times, and in a program
 * that lives for one event nothing of that is ever compiled. Nearly always the path is in order and a search for slashes will
 * do; where it is not, Node is asked. The bundler puts this in the place of `node:path` (`scripts/bundle.mjs`).
 */
import path from 'node:path';

export const { delimiter, extname, parse, posix, relative, sep } = path;

/** Holds an empty step, `.` or `..`. */
const UNTIDY = /\/\/|(?:^|\/)\.\.?(?:\/|$)/;
const isTidy = (text: string): boolean => !UNTIDY.test(text);
const isText = (part: unknown): part is string => typeof part === 'string' && part !== '';
const isRooted = (text: string): boolean => text.charCodeAt(0) === 47;
/** Whether the last step has a name. */
const isNamed = (text: string): boolean => isText(text) && text.charCodeAt(text.length - 1) !== 47;

function joinPosix(...parts: string[]): string {
  for (const part of parts) if (!isText(part)) return path.join(...parts);
  const joined = parts.join('/');
  return joined !== '' && isTidy(joined) ? joined : path.join(...parts);
}

function resolvePosix(...parts: string[]): string {
  const last = parts.at(-1)!;
  if (isNamed(last)) {
    const [first] = parts;
    if (isRooted(last)) {
      if (isTidy(last)) return last;
    } else if (parts.length === 2 && isText(first) && isRooted(first)) {
      const whole = `${first}/${last}`;
      if (isTidy(whole)) return whole;
    }
  }
  return path.resolve(...parts);
}

function dirnamePosix(text: string): string {
  const at = isNamed(text) ? text.lastIndexOf('/') : 0;
  return at > 1 ? text.slice(0, at) : path.dirname(text);
}

const basenamePosix = (text: string, ending?: string): string =>
  isNamed(text) && ending === undefined ? text.slice(text.lastIndexOf('/') + 1) : path.basename(text, ending);

const normalizePosix = (text: string): string => (isText(text) && isTidy(text) ? text : path.normalize(text));

const isAbsolutePosix = (text: string): boolean => (isText(text) ? isRooted(text) : path.isAbsolute(text));

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
