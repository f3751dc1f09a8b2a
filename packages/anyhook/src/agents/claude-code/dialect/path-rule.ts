/** The path of a permission rule, as `.gitignore` writes it; in linear time, whatever stands in it. */
import { relative, resolve, sep } from 'node:path';
import { compilePattern } from '../../../events/pattern.ts';

export type PathRule = (path: string, cwd: string) => boolean;

/**
 * `//x` is a full path, `~/x` one below the home folder, `/x` and `x/y` ones below the working folder, `x` a name
 * anywhere below it. Without a home folder to compare with, `~/x` is in doubt and fits. Throws a SyntaxError for what is
 * too long.
 */
export function pathRule(rule: string): PathRule {
  if (rule.startsWith('~/')) {
    const { test } = compilePattern(`/${sourceOf(rule.slice(2))}`);
    return (path, cwd) => test(slashed(resolve(cwd, path)));
  }
  if (rule.startsWith('//')) {
    const { test } = compilePattern(`^${sourceOf(rule.slice(1))}`);
    return (path, cwd) => test(slashed(resolve(cwd, path)));
  }
  const plain = rule.replace(/^\.?\//, '');
  const isAnywhere = !rule.startsWith('/') && !plain.slice(0, -1).includes('/');
  const { test } = compilePattern(`^${isAnywhere ? `(?:${ANY}*/)?` : ''}${sourceOf(plain)}`);
  return (path, cwd) => {
    const below = slashed(relative(cwd, resolve(cwd, path)));
    return below !== '..' && !below.startsWith('../') && test(below);
  };
}

const ANY = '[\\s\\S]';
const slashed = (path: string): string => path.replaceAll(sep, '/');

/** A rule for a folder is one for all that is in it. */
function sourceOf(glob: string): string {
  const body = glob
    .replace(/\/$/, '')
    .replaceAll(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (token) => WILD[token] ?? literal(token));
  return `${body}(?:/${ANY}*)?$`;
}
const WILD: Readonly<Record<string, string>> = {
  '**/': `(?:${ANY}*/)?`,
  '**': `${ANY}*`,
  '*': '[^/]*',
  '?': '[^/]',
};
const literal = (text: string): string => text.replaceAll(/[\\^$.+()[\]{}|/]/g, (sign) => `\\${sign}`);
