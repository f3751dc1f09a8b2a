/** Reads `packages` and `extensions` of pi's `settings.json`, and ignores its other keys. */

import { isAbsolute, join } from 'node:path';
import { isPlain } from '../../../events/changes.ts';
import { record, shown, type Spot, spotAt } from '../../../events/checker.ts';
import type { ConfigRead, Dialect, Locations, NamedModule, Place } from '../../../events/dialect.ts';
import { type Document, readDocument } from '../../../events/document.ts';
import type { Problem } from '../../../events/problems.ts';
import { listsModules, reportTypos } from '../../../events/typos.ts';

/** pi's own folder. A variable must contain an absolute path. */
export function piFolder({ home, env }: Pick<Locations, 'home' | 'env'>): string {
  const folder = env['PI_CODING_AGENT_DIR']?.replace(/^~(?=\/|$)/, home) ?? '';
  return isAbsolute(folder) ? folder : join(home, '.pi', 'agent');
}

export const config: Dialect['config'] = {
  places: (locations) => [
    { layer: 'user', file: join(piFolder(locations), 'settings.json') },
    { layer: 'project', file: join(locations.cwd, '.pi', 'settings.json'), folder: locations.cwd },
  ],
  read,
};

function read(source: string, place: Place): ConfigRead {
  const document = readDocument(source, place.file);
  const problems: Problem[] = [...document.problems];
  const root = spotAt(document, [], problems);
  if (document.value === undefined || record(root) === undefined) return { hooks: [], modules: [], problems };
  reportTypos(root, { known: ['packages', 'extensions'], keyFor });
  const modules = ['packages', 'extensions'].flatMap((key) => namedIn(root.part(key), document, place));
  return { hooks: [], modules, problems };
}

const keyFor = (value: unknown): string | undefined => {
  const isPackage = (one: unknown) => typeof one === 'string' && /^(?:npm|git):/i.test(one.trim());
  if (Array.isArray(value) && value.some(isPackage)) return 'packages';
  return listsModules(value) ? 'extensions' : undefined;
};

const REMEDY = 'Write a list of sources: ["npm:a-package", "./a-folder"].';

function namedIn(spot: Spot, document: Document, place: Place): NamedModule[] {
  if (spot.value === undefined) return [];
  if (!Array.isArray(spot.value)) {
    spot.report('wrong-type', `is ${shown(spot.value)}; expected a list`, { remedy: REMEDY });
    return [];
  }
  return spot.value.flatMap((_, index) => {
    const one = spot.part(index);
    const asked = readSource(one);
    return asked === undefined ? [] : [{ ...asked, place, line: document.at(one.path).line }];
  });
}

/** `extensions` of a package selects its files; an empty list selects none. */
function readSource({ value, report }: Spot): Pick<NamedModule, 'file' | 'options'> | undefined {
  const [source, extensions] = isPlain(value) ? [value['source'], value['extensions']] : [value, undefined];
  if (typeof source !== 'string' || source.trim() === '')
    report('wrong-type', `is ${shown(value)}`, { remedy: REMEDY });
  else if (extensions !== undefined && !isTexts(extensions))
    report('wrong-type', `has extensions that are ${shown(extensions)}`, {
      remedy: 'Write a list of patterns.',
    });
  else return { file: source.trim(), ...(extensions !== undefined && { options: { extensions } }) };
  return undefined;
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
