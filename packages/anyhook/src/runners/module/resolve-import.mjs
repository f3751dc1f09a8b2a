// Resolves an import to a file, with Node's rules and those of TypeScript.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {Readonly<Record<string, unknown>>} About a `package.json` */

/** Tried in this order for an import without extension. */
const ENDINGS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '.json', '.node'];
/** Extension in an import → extensions of its source. */
const WRITTEN = /** @type {const} */ ({
  '.js': ['.ts', '.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
  '.jsx': ['.tsx'],
});
/** Conditions of an ES import; then those of `require`, for packages without the former. */
const CONDITIONS = [
  ['node', 'import', 'module-sync', 'default'],
  ['node', 'require', 'default'],
];

/**
 * @param {string} specifier no built-in module
 * @param {string} from the importing file
 * @returns {string | undefined}
 */
export function resolveImport(specifier, from) {
  const plain = specifier.replace(/[?#].*$/, '');
  if (specifier.startsWith('file:')) return fileAt(fileURLToPath(specifier));
  if (plain.startsWith('.') || isAbsolute(plain)) return fileAt(resolve(dirname(from), plain));
  if (specifier.startsWith('#')) return internal(specifier, from);
  const { name, path } = packageIn(specifier);
  const own = packageOf(from);
  const folder = own?.about['name'] === name && own.about['exports'] ? own.folder : installedFor(name, from);
  if (folder === undefined) return undefined;
  const exports = aboutIn(folder)?.['exports'];
  if (exports !== undefined && exports !== null) return exported(folder, exports, path);
  if (path !== '.') return fileAt(join(folder, path));
  const main = aboutIn(folder)?.['main'];
  return (typeof main === 'string' ? fileAt(join(folder, main)) : undefined) ?? fileAt(join(folder, 'index'));
}

/** @param {string} specifier `@scope/name/sub` → `@scope/name` and `./sub` */
export function packageIn(specifier) {
  const words = specifier.split('/');
  const length = specifier.startsWith('@') ? 2 : 1;
  return {
    name: words.slice(0, length).join('/'),
    path: words.length > length ? `./${words.slice(length).join('/')}` : '.',
  };
}

/**
 * Returns the package that a file belongs to.
 * @param {string} file
 * @returns {{ readonly folder: string, readonly about: About } | undefined}
 */
export function packageOf(file) {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const about = aboutIn(folder);
    if (about !== undefined) return { folder, about };
    if (dirname(folder) === folder) return undefined;
  }
}

/** Node's rule, except that an ambiguous `.js` file is not inspected. @param {string} file */
export const isCommonJs = (file) =>
  extname(file) === '.cjs' || (extname(file) === '.js' && packageOf(file)?.about['type'] !== 'module');

/** @type {Map<string, { readonly mtimeMs: number, readonly about: About }>} */
const read = new Map();

/** @param {string} folder @returns {About | undefined} */
function aboutIn(folder) {
  const file = join(folder, 'package.json');
  try {
    const { mtimeMs } = statSync(file);
    const known = read.get(file);
    if (known?.mtimeMs === mtimeMs) return known.about;
    const about = /** @type {About} */ (Object(JSON.parse(readFileSync(file, 'utf8'))));
    read.set(file, { mtimeMs, about });
    return about;
  } catch {
    return undefined;
  }
}

/** @param {string} name @param {string} from @returns {string | undefined} */
function installedFor(name, from) {
  for (let folder = dirname(from); ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (isFolder(candidate)) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Resolves `#name` by the `imports` of its own package. @param {string} specifier @param {string} from */
function internal(specifier, from) {
  const own = packageOf(from);
  const imports = own?.about['imports'];
  if (own === undefined || typeof imports !== 'object' || imports === null) return undefined;
  const found = lookedUp(/** @type {About} */ (imports), specifier);
  if (found === undefined) return undefined;
  return found.startsWith('.') ? fileAt(join(own.folder, found)) : resolveImport(found, from);
}

/** @param {string} folder @param {unknown} exports @param {string} path @returns {string | undefined} */
function exported(folder, exports, path) {
  const keys = typeof exports === 'object' && exports !== null ? Object.keys(exports) : [];
  const map = keys.some((key) => key.startsWith('.')) ? /** @type {About} */ (exports) : { '.': exports };
  const found = lookedUp(map, path);
  return found === undefined ? undefined : fileAt(join(folder, found));
}

/**
 * Uses the exact key, or the longest matching pattern.
 * @param {About} map
 * @param {string} wanted
 * @returns {string | undefined}
 */
function lookedUp(map, wanted) {
  if (Object.hasOwn(map, wanted)) return target(map[wanted]);
  const fitting = Object.keys(map)
    .filter((key) => key.includes('*'))
    .toSorted((one, other) => other.length - one.length);
  for (const key of fitting) {
    const [before = '', after = ''] = key.split('*');
    if (!wanted.startsWith(before) || !wanted.endsWith(after)) continue;
    const middle = wanted.slice(before.length, wanted.length - after.length);
    return target(map[key])?.replaceAll('*', middle);
  }
  return undefined;
}

/** @param {unknown} value @returns {string | undefined} */
const target = (value) =>
  CONDITIONS.map((conditions) => targetFor(value, conditions)).find((found) => found !== undefined);

/**
 * Conditions may be nested.
 * @param {unknown} value @param {readonly string[]} conditions @returns {string | undefined}
 */
function targetFor(value, conditions) {
  if (typeof value === 'string') return value;
  if (Array.isArray(value))
    return value.map((one) => targetFor(one, conditions)).find((found) => found !== undefined);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [condition, inner] of Object.entries(value)) {
    const found = conditions.includes(condition) ? targetFor(inner, conditions) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @param {string} path @returns {string | undefined} */
function fileAt(path) {
  if (isFile(path)) return path;
  for (const [written, sources] of Object.entries(WRITTEN))
    if (path.endsWith(written)) {
      const source = sources
        .map((ending) => path.slice(0, -written.length) + ending)
        .find((file) => isFile(file));
      if (source !== undefined) return source;
    }
  const whole = ENDINGS.map((ending) => path + ending).find((file) => isFile(file));
  if (whole !== undefined || !isFolder(path)) return whole;
  const main = aboutIn(path)?.['main'];
  const named = typeof main === 'string' && main !== '.' ? fileAt(join(path, main)) : undefined;
  return named ?? ENDINGS.map((ending) => join(path, `index${ending}`)).find((file) => isFile(file));
}

/** @param {string} path */
const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
/** @param {string} path */
const isFolder = (path) => existsSync(path) && statSync(path).isDirectory();
