/**
 * Runs tests of the public API against the packed package: replaces imports of source modules in tests and fixtures by
 * the public path that exports the same names. Imports of internals are unchanged.
 */

import { readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PACKED } from './pack.ts';

const SOURCES = resolve(import.meta.dirname, '../../packages/anyhook/src');

interface Door {
  /** The source folder that the public path exports. */
  readonly folder: string;
  readonly file: string;
  readonly names: ReadonlySet<string>;
}

async function doorsOf(): Promise<Door[]> {
  const { exports } = JSON.parse(readFileSync(join(PACKED, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { default: string }>;
  };
  const files = Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : [entry.default]));
  return Promise.all(
    files.map(async (entry) => {
      const file = join(PACKED, entry);
      const module = (await import(pathToFileURL(file).href)) as object;
      return {
        folder: dirname(join(SOURCES, entry.replace('./dist/', ''))),
        file,
        names: new Set(Object.keys(module)),
      };
    }),
  );
}

const IMPORT = /^import \{([^}]*)\} from '(\.[^']+)';/gm;

/** Names of values, without their aliases. */
const valuesIn = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.split(' as ')[0]!.trim());

type Redirect = (code: string, id: string) => string;

/** Rewrites the imports of one file. */
async function redirecting(): Promise<Redirect> {
  const doors = await doorsOf();
  return (code, id) =>
    code.replaceAll(IMPORT, (line, list: string, from: string) => {
      const module = resolve(dirname(id), from);
      const names = valuesIn(list);
      if (!module.startsWith(SOURCES + sep) || names.length === 0) return line;
      const door = doors
        .filter(({ folder }) => module.startsWith(folder + sep))
        .toSorted((a, b) => b.folder.length - a.folder.length)
        .find((one) => names.every((name) => one.names.has(name)));
      return door === undefined ? line : line.replace(`'${from}'`, `'${door.file}'`);
    });
}

export async function publicImports() {
  const redirect = await redirecting();
  const isTest = (id: string) => /\.test\.ts$|\/fixtures\//.test(id);
  return {
    plugin: {
      name: 'public-imports',
      enforce: 'pre' as const,
      transform: (code: string, id: string) => (isTest(id) ? { code: redirect(code, id) } : null),
    },
    /** Whether this test imports a module with a public path. */
    isOfPublicApi(file: string): boolean {
      const code = readFileSync(file, 'utf8');
      return redirect(code, file) !== code;
    },
  };
}
