/**
 * The lists `plugin` and, since OpenCode 2, `plugins`: names of packages and paths, alone or with options. Nothing is
 * resolved here.
 */
import { shown, type Spot } from '../../../events/checker.ts';
import { isPlain } from '../../../events/changes.ts';
import type { ConfigRead, Place } from '../../../events/dialect.ts';
import type { Document } from '../../../events/document.ts';
import { ANY_TEXT, fitsWildcard, isLetter } from '../../../events/wildcard.ts';

type Module = ConfigRead['modules'][number];

export function pluginsIn(spot: Spot, document: Document, place: Place): Module[] {
  if (spot.value === undefined) return [];
  if (!Array.isArray(spot.value)) {
    spot.say('wrong-type', `is ${shown(spot.value)}, a list of plugins is expected`, {
      remedy: 'Write "plugin": ["./plugin.ts", "a-package", ["another", { "option": true }]].',
    });
    return [];
  }
  let read: Module[] = [];
  for (const index of spot.value.keys()) {
    const one = spot.part(index);
    const asked = readPlugin(one);
    if (asked === undefined || asked.file === '*') continue; // all of them, as without it
    if (asked.file.startsWith('-')) read = read.filter(({ file }) => !isNamed(file, asked.file.slice(1)));
    else read.push({ ...asked, place, line: document.at(one.path).line });
  }
  return read;
}

/** `-name` and `-team.*` switch off what the list named before. */
function isNamed(file: string, pattern: string): boolean {
  const parts = pattern.split('').map((one) => (one === '*' ? ANY_TEXT : isLetter(one)));
  return fitsWildcard(parts, file.replace(/(?<=.)@[^/]*$/, ''));
}

const REMEDY =
  'Write a path, the name of a package, or one of these with its options: [name, {…}] or { package, options }.';

function readPlugin({ value, say }: Spot): Pick<Module, 'file' | 'options'> | undefined {
  const [file, options, ...more] = partsOf(value);
  if (typeof file !== 'string') say('wrong-type', `is ${shown(value)}`, { remedy: REMEDY });
  else if (file.trim() === '') say('bad-value', 'is empty', { remedy: REMEDY });
  else if (more.length > 0) say('bad-value', `is ${shown(value)}: a pair has two parts`, { remedy: REMEDY });
  else if (options !== undefined && !isPlain(options))
    say('wrong-type', `has options that are no object (${shown(options)})`, { remedy: REMEDY });
  else return { file: file.trim(), ...(options !== undefined && { options }) };
  return undefined;
}

function partsOf(value: unknown): unknown[] {
  if (isPlain(value)) return [value['package'], value['options']];
  return Array.isArray(value) ? (value as unknown[]) : [value];
}
