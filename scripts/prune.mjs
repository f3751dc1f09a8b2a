/**
 * Takes out of `dist` what no source makes any more (the compiler adds and never removes), the types that nobody who
 * imports the package can reach, and the comments of modules: they are for who reads the source, and what they promise
 * stands in the types. With `--types` only those are looked at. Runs in the folder of a package.
 */

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from 'esbuild';

const { exports } = /** @type {{ exports: Record<string, string | { types: string }> }} */ (
  JSON.parse(readFileSync('package.json', 'utf8'))
);
/** @type {Set<string>} */
const reached = new Set();
for (const entry of Object.values(exports)) if (typeof entry !== 'string') reach(join(entry.types));

for (const entry of readdirSync('dist', { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = join(entry.parentPath, entry.name);
  if (process.argv.includes('--types') && !/\.d\.[cm]?ts$/.test(file)) continue;
  if (!isMade(file)) rmSync(file);
  else if (/\.m?js$/.test(file)) shorten(file);
  else if (/\.d\.[cm]?ts$/.test(file) && !reached.has(file)) rmSync(file);
}

/** @param {string} file a module: the same code, line by line, without comments */
function shorten(file) {
  const how = /** @type {const} */ ({ charset: 'utf8', legalComments: 'none', target: 'esnext' });
  writeFileSync(file, transformSync(readFileSync(file, 'utf8'), how).code);
}

/** @param {string} file */
function isMade(file) {
  const source = file.replace(/^dist/, 'src');
  const stem = source.replace(/(\.d)?\.m?[jt]s$/, '');
  return [source, `${stem}.ts`, `${stem}.mts`, `${stem}.mjs`].some((from) => existsSync(from));
}

/** @param {string} types a declaration file, and with it all that it names */
function reach(types) {
  if (reached.has(types) || !existsSync(types)) return;
  reached.add(types);
  for (const [, path = ''] of readFileSync(types, 'utf8').matchAll(/["'](\.\.?\/[^"']+)["']/g))
    reach(join(dirname(types), path.replace(/\.(m?)[jt]s$/, '.d.$1ts')));
}
