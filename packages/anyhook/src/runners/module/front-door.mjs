// What `anyhook` means inside a user's module: this copy of the package, installed beside the module or not.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @type {Readonly<Record<string, string>> | undefined} */
let known;

/**
 * Import name → file, read off the package's own `exports`.
 * @returns {Readonly<Record<string, string>>}
 */
export function frontDoor() {
  known ??= Object.freeze(Object.fromEntries(doors()));
  return known;
}

/** @returns {[string, string][]} */
function doors() {
  const about = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  return Object.entries(about.exports).flatMap(([key, door]) => {
    const file = typeof door === 'object' ? fileOf(door.default) : undefined;
    return file === undefined ? [] : [[`${about.name}${key.slice(1)}`, file]];
  });
}

/**
 * `./dist/x.js` is what was built; run from source, the same file stands beside us as `x.ts`.
 * @param {string} target
 */
function fileOf(target) {
  const stem = target.replace(/^\.\/dist\//, '../../').replace(/\.js$/, '');
  return ['.js', '.ts']
    .map((extension) => fileURLToPath(new URL(stem + extension, import.meta.url)))
    .find((file) => existsSync(file));
}
