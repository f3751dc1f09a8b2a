/**
 * The modules that speak for a package (`packed-<name>`): each takes the package's code in, and only what it exports of
 * it, so that who installs us does not install the package with all that it brings. Runs in the folder of the package.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { giveNotice } from './notices.mjs';

const { dependencies } = /** @type {{ dependencies: Record<string, string> }} */ (
  JSON.parse(readFileSync('package.json', 'utf8'))
);
const installed = Object.keys(dependencies);
const isOutside = (/** @type {string} */ wanted) =>
  isBuiltin(wanted) || installed.some((name) => wanted === name || wanted.startsWith(`${name}/`));

for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  if (!/(?:^|[/\\])packed-[^/\\]+\.m?js$/.test(file)) continue;
  const place = join('dist', file);
  const bundle = await rolldown({ input: resolve(place), platform: 'node', external: isOutside });
  const { output } = await bundle.write({
    file: place,
    format: 'esm',
    codeSplitting: false,
    minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  });
  giveNotice(output.flatMap((made) => (made.type === 'chunk' ? made.moduleIds : [])));
}
