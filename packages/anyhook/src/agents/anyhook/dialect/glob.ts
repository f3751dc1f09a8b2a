/** Globs over paths and over plain text, in time that grows with the text and no faster. */
import { basename, relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { compilePattern, type Pattern } from '../../../events/pattern.ts';

export type GlobTest = (path: string, cwd: string) => boolean;

/**
 * Without a slash it is about the base name, with one about the path below the working folder, with a leading slash or
 * `**` about the whole path. `..` and `.` in the path are resolved first. Throws a SyntaxError for what is too long.
 */
export function pathGlob(glob: string): GlobTest {
  const source = sourceOf(glob.replace(/^\.\//, ''));
  let pattern: Pattern | undefined;
  return (path, cwd) => {
    pattern ??= compilePattern(source); // loads the pattern engine: not before there is a path to test
    const full = resolve(cwd, path);
    if (!glob.includes('/')) return pattern.test(basename(full));
    const whole = glob.startsWith('/') || glob.startsWith('**');
    return pattern.test((whole ? full : relative(cwd, full)).replaceAll(sep, '/'));
  };
}

const LONGEST = 512;
/** The looks ahead by which picomatch keeps `*` from meaning `.` and `..`: there are none in a resolved path. */
const LOOKS_AHEAD = /\(\?!(?:\(\?:\^\|\\\/\))?\\\.\{1,2\}\(\?:\\\/\|\$\)\)|\(\?=\.\)/g;

/** A regular expression without look-around, so that it has a linear form; `**` crosses line ends too. */
function sourceOf(glob: string): string {
  const { source } = picomatch.makeRe(glob, { dot: true, noextglob: true, nonegate: true });
  const plain = source.replaceAll(LOOKS_AHEAD, '').replaceAll('(?:.)*?', '[\\s\\S]*?');
  if (plain.length > LONGEST) throw new SyntaxError(`the glob is too long: ${glob.length} characters`);
  return plain;
}

/** `*` stands for any characters, everything else for itself; the whole text is meant. */
export function textGlob(glob: string): (text: string) => boolean {
  const [first = '', ...rest] = glob.split('*');
  const last = rest.pop();
  return (text) => {
    if (last === undefined) return text === first;
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
      return false;
    const end = text.length - last.length;
    let at = first.length;
    for (const part of rest) {
      const found = text.indexOf(part, at);
      if (found === -1 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
