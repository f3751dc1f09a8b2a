// What `anyhook` means inside a user's module: this copy of the package, installed beside the module or not.
import { ownFile, packageFile } from '../../own-files.mjs';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Import name → what `exports` of the package says of it. @type {ReadonlyMap<string, string> | undefined} */
let doors;
/** @type {Map<string, string | undefined>} */
const files = new Map();

/**
 * The file behind an import of ours, read off the package's own `exports`; undefined: it is none of ours.
 * @param {string} name
 * @returns {string | undefined}
 */
export function frontDoor(name) {
  const target = (doors ??= new Map(readDoors())).get(name);
  if (target !== undefined && !files.has(name)) files.set(name, fileOf(target));
  return files.get(name);
}

/** @returns {[string, string][]} */
function readDoors() {
  const about = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return Object.entries(about.exports).flatMap(([key, door]) =>
    typeof door === 'object' ? [[`${about.name}${key.slice(1)}`, String(door.default)]] : [],
  );
}

/** @type {Map<string, object>} */
const opened = new Map();

/**
 * What a door as built opens: code that Node requires, at a quarter of what its loader of ES modules costs to wake. The very
 * same that an `import` of the door brings. Undefined: it is no such door.
 * @param {string} file
 * @returns {object | undefined}
 */
export function behindDoor(file) {
  const known = opened.get(file);
  if (known !== undefined) return known;
  const [, path] = /^import all from '([^']+\.cjs)';\n/.exec(readFileSync(file, 'utf8')) ?? [];
  if (path === undefined) return undefined;
  const all = { .../** @type {object} */ (createRequire(file)(path)) };
  opened.set(file, all);
  return all;
}

/**
 * `./dist/x.js` is what was built; run from source, the same file stands beside us as `x.ts`.
 * @param {string} target
 */
function fileOf(target) {
  const file = ownFile(target.replace(/^\.\/dist\//, '').replace(/\.js$/, ''));
  return existsSync(file) ? file : undefined;
}
