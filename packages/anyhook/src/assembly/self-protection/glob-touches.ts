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
  if (!/[*?[{]/.test(pattern)) return (name) => name === pattern;
  // Braces and sets are not read: they may stand for anything.
  const source = pattern
    .replaceAll(/[.+^$()|\\]/g, String.raw`\$&`)
    .replaceAll(/\{.*\}|\[.*\]|\*+/g, '.*')
    .replaceAll('?', '.');
  const test = compiled(`^${source}$`);
  const hidesDots = !dots && /^[*?]/.test(pattern);
  return (name) => (hidesDots && name.startsWith('.') ? false : test(name));
}
function compiled(source: string): (name: string) => boolean {
  try {
    const pattern = new RegExp(source, 's');
    return (name) => pattern.test(name);
  } catch {
    return () => true;
  }
}
