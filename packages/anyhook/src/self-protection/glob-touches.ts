/** A pattern of the shell against the guarded paths, name by name. */
import { ANY_TEXT, fitsWildcard, isLetter, type WildcardPart } from '../events/wildcard.ts';
import { fold } from './fold.ts';
import type { FoldedNames, Touch } from './identity.ts';

/** `dots`: a leading `*` also stands for a leading dot. */
export function globTouches(
  pattern: string,
  { folders, files, code }: FoldedNames,
  dots: boolean,
): Touch | undefined {
  const tests = namesOf(fold(pattern)).map((name) => testOf(name, dots));
  const touches = (path: string, isFolder: boolean): Touch | undefined => {
    const names = namesOf(path);
    const shared = Math.min(names.length, tests.length);
    for (let at = 0; at < shared; at++) if (!tests[at]!(names[at]!)) return undefined;
    if (tests.length < names.length) return 'above';
    return tests.length === names.length || isFolder ? 'inside' : undefined;
  };
  // Our own program is not guarded from above: `rm -rf node_modules/*` is everyday work.
  const isAll = (path: string) => namesOf(path).length === tests.length && /\/\*+$/.test(pattern);
  if (code.some((path) => touches(path, true) === 'inside' && !isAll(path))) return 'inside';
  const found = [...folders.map((path) => touches(path, true)), ...files.map((path) => touches(path, false))];
  return found.find((touch) => touch === 'inside') ?? found.find((touch) => touch !== undefined);
}

const namesOf = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.');

function testOf(pattern: string, dots: boolean): (name: string) => boolean {
  if (!/[*?[{]|[@!+]\(/.test(pattern)) return (name) => name === pattern;
  const test = globTest(pattern);
  const hidesDots = !dots && /^[*?]/.test(pattern);
  return (name) => (hidesDots && name.startsWith('.') ? false : test(name));
}
/** Braces, and sets with more in them than letters, may stand for anything. */
function partsOf(pattern: string): WildcardPart[] {
  const parts: WildcardPart[] = [];
  let from = 0;
  const literally = (until: number) => parts.push(...pattern.slice(from, until).split('').map(isLetter));
  for (const { 0: found, 1: negation, 2: letters, index } of pattern.matchAll(PARTS)) {
    literally(index);
    from = index + found.length;
    if (letters === undefined) parts.push(found === '?' ? () => true : ANY_TEXT);
    else parts.push(isOneOf(`[${negation === undefined ? '' : '^'}${letters}]`));
  }
  literally(pattern.length);
  return parts;
}
const PARTS = /[@!+?*]\(.*\)|\[([!^])?([\w -]+)\]|\{.*\}|\[.*\]|\*+|[?{[]/g;

function isOneOf(set: string): WildcardPart {
  const pattern = new RegExp(`^${set}$`, 's');
  return (letter) => pattern.test(letter);
}

/** What cannot be read stands for anything. */
export function globTest(glob: string): (name: string) => boolean {
  try {
    const parts = partsOf(glob);
    return (name) => fitsWildcard(parts, name);
  } catch {
    return () => true;
  }
}
