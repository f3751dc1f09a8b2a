// Resolves imports of `anyhook` in a user's module to this copy of the package, whether or not it is
// installed next to the module.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ownFile, packageFile } from '../../own-files.mjs';

/** Import name → target in the package's `exports`. @type {ReadonlyMap<string, string> | undefined} */
let entries;
/** @type {Map<string, string | undefined>} */
const files = new Map();

/**
 * Returns the file for an import of ours, from the package's own `exports`, or undefined for any other
 * import.
 * @param {string} name
 * @returns {string | undefined}
 */
export function ownEntryFile(name) {
  const target = (entries ??= new Map(readEntries())).get(name);
  if (target !== undefined && !files.has(name)) files.set(name, fileOf(target));
  return files.get(name);
}

/** @returns {[string, string][]} */
function readEntries() {
  const about = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return Object.entries(about.exports).flatMap(([key, target]) =>
    typeof target === 'object' ? [[`${about.name}${key.slice(1)}`, String(target.default)]] : [],
  );
}

/** @type {Map<string, object>} */
const opened = new Map();

/**
 * Loads a built entry point with `require`, which costs a quarter of loading it as an ES module. Returns the
 * same exports as `import`, or undefined if it is not such an entry point.
 * @param {string} file
 * @returns {object | undefined}
 */
export function loadOwnEntry(file) {
  const known = opened.get(file);
  if (known !== undefined) return known;
  const [, path] = /^import all from '([^']+\.cjs)';\n/.exec(readFileSync(file, 'utf8')) ?? [];
  if (path === undefined) return undefined;
  const all = { .../** @type {object} */ (createRequire(file)(path)) };
  opened.set(file, all);
  return all;
}

/**
 * Maps `./dist/x.js` to the built file or, when run from source, to `x.ts`.
 * @param {string} target
 */
function fileOf(target) {
  const file = ownFile(target.replace(/^\.\/dist\//, '').replace(/\.js$/, ''));
  return existsSync(file) ? file : undefined;
}
