/** The `plugin` list: names of packages, paths, or pairs of one of these and options. Nothing is resolved here. */
import { shown, type Spot } from '../../canon/checker.ts';
import { isPlain } from '../../canon/changes.ts';
import type { ConfigRead, Place } from '../../canon/dialect.ts';
import type { Document } from '../../canon/document.ts';

type Module = ConfigRead['modules'][number];

export function pluginsIn(spot: Spot, document: Document, place: Place): Module[] {
  if (spot.value === undefined) return [];
  if (!Array.isArray(spot.value)) {
    spot.say('wrong-type', `is ${shown(spot.value)}, a list of plugins is expected`, {
      remedy: 'Write "plugin": ["./plugin.ts", "a-package", ["another", { "option": true }]].',
    });
    return [];
  }
  return spot.value.flatMap((_, index) => {
    const one = spot.part(index);
    const asked = readPlugin(one);
    return asked === undefined ? [] : [{ ...asked, place, line: document.at(one.path).line }];
  });
}

const REMEDY = 'Write a path, the name of a package, or a pair of one of these and its options.';

function readPlugin({ value, say }: Spot): Pick<Module, 'file' | 'options'> | undefined {
  const [file, options, ...more] = Array.isArray(value) ? (value as unknown[]) : [value];
  if (typeof file !== 'string') say('wrong-type', `is ${shown(value)}`, { remedy: REMEDY });
  else if (file.trim() === '') say('bad-value', 'is empty', { remedy: REMEDY });
  else if (more.length > 0) say('bad-value', `is ${shown(value)}: a pair has two parts`, { remedy: REMEDY });
  else if (options !== undefined && !isPlain(options))
    say('wrong-type', `has options that are no object (${shown(options)})`, { remedy: REMEDY });
  else return { file: file.trim(), ...(options !== undefined && { options }) };
  return undefined;
}
