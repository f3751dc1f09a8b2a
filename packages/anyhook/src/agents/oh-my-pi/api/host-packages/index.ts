/** What the packages of pi and oh-my-pi mean inside one of their modules: ours, under all the names they have had. */
import { packageFile } from '../../../../own-files.mjs';
import { pathToFileURL } from 'node:url';
import type { HostImports } from '../../../../runners/module/linker.mjs';
import { nativeImport } from '../../../../runners/module/native-import.mjs';
import { resolveImport } from '../../../../runners/module/resolve-import.mjs';
import { type Absences, packageWith } from './absence.ts';

const OURS = /^@(?:earendil-works|mariozechner|oh-my-pi)\/pi-([a-z-]+)(\/.+)?$/;
const SCHEMAS = /^(?:@sinclair\/)?typebox(\/.+)?$/;
/** The document's own: the surface itself. */
const HOOKS = /^\/(?:extensibility\/)?hooks$/;
const HERE = packageFile('package.json');

/** For a module in that file; `surface`: what the document's own package is. */
export function hostPackages(file: string, absent: Absences, surface: () => Promise<object>): HostImports {
  return (specifier) => {
    const [, name, path] = OURS.exec(specifier) ?? [];
    const schemas = SCHEMAS.exec(specifier);
    // A copy of its own is used as it is: schemas are plain data, and components draw plain lines.
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

/** Loaded when a module asks for it. */
const PARTS: Readonly<Record<string, () => Promise<object>>> = {
  'coding-agent': () => import('./coding-agent.ts'),
  ai: () => import('./ai.ts'),
  utils: () => import('./formatting.ts'),
  tui: terminalUi,
};

/** Components are pi's own, where its terminal library is installed beside us; our agent carries it inside. */
async function terminalUi(): Promise<object> {
  const file = resolveImport('@mariozechner/pi-tui', HERE) ?? resolveImport('@anyhook/agent/pi-tui', HERE);
  return file === undefined ? {} : await nativeImport(pathToFileURL(file).href);
}
