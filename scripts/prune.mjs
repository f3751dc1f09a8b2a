/**
 * Takes out of `dist` what no source makes any more (the compiler adds and never removes), and the types that nobody who
 * imports the package can reach. Only that, so that a build beside running tests takes nothing from under them. Runs in
 * the folder of a package.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const { exports } = /** @type {{ exports: Record<string, string | { types: string }> }} */ (
  JSON.parse(readFileSync('package.json', 'utf8'))
);
/** @type {Set<string>} */
const reached = new Set();
for (const entry of Object.values(exports)) if (typeof entry !== 'string') reach(join(entry.types));

for (const entry of readdirSync('dist', { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = join(entry.parentPath, entry.name);
  if (file.startsWith(join('dist', 'bin'))) continue; // made by bundle-cli.mjs
  if (file.startsWith(join('dist', 'view'))) continue; // made by bundle-page.mjs
  if (file.startsWith(join('dist', 'sets'))) continue; // copied by copy-sets.mjs
  if (isMade(file) && (reached.has(file) || !/\.d\.m?ts$/.test(file))) continue;
  rmSync(file);
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
