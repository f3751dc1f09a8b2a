// Where the files of this package lie. The bundler keeps this module at the root of `dist`, as it is at the root of `src`, so a
// path below either of them is the same; everything else may end up in a shared file and must not look around itself.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const BUNDLED =
  "anyhook was bundled into this program, without the files that hooks are run by. Keep it outside of the bundle and installed beside it: esbuild --external:anyhook, rolldown external: [/^anyhook(\\/|$)/], bun build --external anyhook (with --compile also --compile-autoload-package-json), webpack externals: ['anyhook'].";

/** @param {string} path from this file @returns {string} */
function fileAt(path) {
  const here = /** @type {string | undefined} */ (import.meta.url);
  // In a bundle for CommonJS a module has no address.
  if (here === undefined) throw new Error(BUNDLED);
  return fileURLToPath(new URL(path, here));
}

/** @param {string} path below the package's folder @returns {string} */
export const packageFile = (path) => fileAt(`../${path}`);

/**
 * A module below `src` or `dist`, whichever runs: `runners/command/helper.mjs`. For one written in TypeScript, name it without
 * its extension.
 * @param {string} path
 * @returns {string}
 */
export function ownFile(path) {
  const file = fileAt(path);
  if (/\.[cm]?js$/.test(path)) return file;
  return existsSync(`${file}.ts`) ? `${file}.ts` : `${file}.js`;
}

/** A program of ours that Node starts: it cannot start TypeScript, so the built file is used also where the sources run. @param {string} path @returns {string} */
export const ownProgramFile = (path) => packageFile(`dist/${path}.js`);
