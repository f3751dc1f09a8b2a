/** A pattern of the shell against the guarded paths, name by name. */
import { fold } from './fold.ts';
import type { FoldedNames, Touch } from './identity.ts';

/** `dots`: a leading `*` also stands for a leading dot. */
export function globTouches(
  pattern: string,
  { folders, files }: FoldedNames,
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
/** As a regular expression. Braces, and sets with more in them than letters, may stand for anything. */
const sourceOf = (pattern: string): string =>
  pattern.replaceAll(PARTS, (part, negation: string | undefined, letters: string | undefined) => {
    if (letters !== undefined) return `[${negation === undefined ? '' : '^'}${letters}]`;
    if (part === '?') return '.';
    return /^(?:[*{[]|[@!+?]\()/.test(part) ? '.*' : `\\${part}`;
  });
const PARTS = /[@!+?*]\(.*\)|\[([!^])?([\w -]+)\]|\{.*\}|\[.*\]|\*+|[?.+^$()|\\{}[\]]/g;

/** What cannot be read stands for anything. */
export function globTest(glob: string): (name: string) => boolean {
  try {
    const pattern = new RegExp(`^${sourceOf(glob)}$`, 's');
    return (name) => pattern.test(name);
  } catch {
    return () => true;
  }
}
