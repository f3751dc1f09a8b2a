/** Resolves the packages of pi and oh-my-pi inside their modules to ours, under all their names. */

import { pathToFileURL } from 'node:url';
import { packageFile } from '../../../../own-files.mjs';
import type { HostImports } from '../../../../runners/module/linker.mjs';
import { nativeImport } from '../../../../runners/module/native-import.mjs';
import { resolveImport } from '../../../../runners/module/resolve-import.mjs';
import { type Absences, packageWith } from './absence.ts';

const OURS = /^@(?:earendil-works|mariozechner|oh-my-pi)\/pi-([a-z-]+)(\/.+)?$/;
const SCHEMAS = /^(?:@sinclair\/)?typebox(\/.+)?$/;
/** The package of the document: our API itself. */
const HOOKS = /^\/(?:extensibility\/)?hooks$/;
const HERE = packageFile('package.json');

/** For a module in that file. `surface` replaces the document's own package. */
export function hostPackages(file: string, absent: Absences, surface: () => Promise<object>): HostImports {
  return (specifier) => {
    const [, name, path] = OURS.exec(specifier) ?? [];
    const schemas = SCHEMAS.exec(specifier);
    // An installed copy is used: schemas are plain data, and components draw plain lines.
    if ((schemas !== null || name === 'tui') && resolveImport(specifier, file) !== undefined)
      return undefined;
    if (path !== undefined && HOOKS.test(path)) return surface;
    if (name !== undefined) return () => packageNamed(name, specifier, absent);
    if (schemas === null) return undefined;
    return () => schemasOf(schemas[1]?.slice(1) ?? 'root', specifier, absent);
  };
}

const packageNamed = async (name: string, specifier: string, absent: Absences): Promise<object> =>
  packageWith((await PARTS[name]?.()) ?? {}, specifier, absent);

async function schemasOf(part: string, specifier: string, absent: Absences): Promise<object> {
  const parts: Readonly<Record<string, object>> = await import('./packed-typebox.mjs');
  return parts[part] ?? packageWith({}, specifier, absent);
}

/** Loaded when a module imports it. */
const PARTS: Readonly<Record<string, () => Promise<object>>> = {
  'coding-agent': () => import('./coding-agent.ts'),
  ai: () => import('./ai.ts'),
  utils: () => import('./formatting.ts'),
  tui: terminalUi,
};

/** Components of pi itself if its terminal library is installed; our agent bundles it. */
async function terminalUi(): Promise<object> {
  const file = resolveImport('@mariozechner/pi-tui', HERE) ?? resolveImport('@anyhook/agent/pi-tui', HERE);
  return file === undefined ? {} : await nativeImport(pathToFileURL(file).href);
}
