// Runs the files of a module that Node cannot import itself, and links them with those that it can. One
// linker per load: within it a file is evaluated once, and the next load evaluates it again.

import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { compile, spend } from './compile.mjs';
import { loadOwnEntry } from './entry-points.mjs';
import { nativeImport } from './native-import.mjs';
import { isCommonJs, resolveImport } from './resolve-import.mjs';
import { Survey } from './survey.mjs';

/**
 * The host's answer to an import: a file, or the module itself. Undefined if it is not the host's.
 * @typedef {(specifier: string) => string | (() => object | Promise<object>) | undefined} HostImports
 */
/** @typedef {{ readonly host: HostImports, readonly kept: string | undefined }} LinkerTerms */
/** @typedef {{ readonly module: { exports: unknown }, done: Promise<void> }} Linked */
/** @typedef {(exports: unknown, require: NodeJS.Require, module: { exports: unknown }, file: string, folder: string,
 *   load: (specifier: string) => Promise<unknown>, resolve: (specifier: string) => string, meta: object) => Promise<void>} Body */

const REQUIRED = /\brequire\s*\(\s*(['"])([^'"\n\\]+)\1\s*\)/g;

export class Linker {
  /** @type {LinkerTerms} */
  #terms;
  /** @type {Survey} */
  #survey;
  /** @type {Map<string, Linked>} */
  #linked = new Map();
  /** Imports that were loaded ahead because `require` cannot wait. @type {Map<string, unknown>} */
  #hosts = new Map();
  /**
   * Which file waits for which, so that circular imports do not deadlock.
   * @type {Map<string, Set<string>>}
   */
  #waits = new Map();

  /** @param {LinkerTerms} terms */
  constructor(terms) {
    this.#terms = terms;
    this.#survey = new Survey((name) => terms.host(name) !== undefined);
  }

  /** @param {string} file @param {string} source */
  isOurs(file, source) {
    return spend(() => this.#survey.isOurs(file, source));
  }

  /** @param {string} file @param {string} source @returns {Promise<unknown>} what it exports */
  async run(file, source) {
    const linked = this.#begin(file, source);
    await linked.done;
    return linked.module.exports;
  }

  /** @param {string} file @param {string} [source] @returns {Linked} */
  #begin(file, source = readFileSync(file, 'utf8')) {
    const known = this.#linked.get(file);
    if (known !== undefined) return known;
    /** @type {Linked} */
    const linked = { module: { exports: {} }, done: Promise.resolve() };
    this.#linked.set(file, linked);
    linked.done = this.#evaluate(file, source, linked.module);
    linked.done.catch(() => {}); // the importing file reports it
    return linked;
  }

  /** @param {string} file @param {string} source @param {{ exports: unknown }} module */
  async #evaluate(file, source, module) {
    const code = spend(() => compile(file, source, this.#terms.kept));
    // `require` is synchronous, so its targets are loaded ahead.
    for (const [, , name = ''] of code.matchAll(REQUIRED)) await this.#provide(name, file);
    const body = spend(() => new Script(`(async (${PARAMETERS}) => {${code}\n})`, { filename: file }));
    await /** @type {Body} */ (body.runInThisContext())(
      module.exports,
      this.#requireFor(file),
      module,
      file,
      dirname(file),
      (specifier) => this.#import(specifier, file),
      (specifier) => this.#resolve(specifier, file),
      metaOf(file, (specifier) => this.#resolve(specifier, file)),
    );
  }

  /**
   * A missing or failing target is reported by the `require` call itself.
   * @param {string} name @param {string} from
   */
  async #provide(name, from) {
    try {
      const { kind } = this.#target(name, from);
      if (kind === 'host' || kind === 'ours') await this.#import(name, from);
    } catch {
      // reported by `require`
    }
  }

  /** @param {string} specifier @param {string} from @returns {Promise<unknown>} */
  async #import(specifier, from) {
    const target = this.#target(specifier, from);
    if (target.kind === 'host') {
      const known = this.#hosts.get(specifier) ?? asModule(await target.load());
      this.#hosts.set(specifier, known);
      return known;
    }
    if (target.kind === 'data') return asModule(dataIn(target.file));
    if (target.kind === 'native') {
      if (isBuiltin(target.url)) return builtIn(target.url);
      const known = target.isOwnEntry && target.file !== undefined ? loadOwnEntry(target.file) : undefined;
      return asModule(known ?? (await nativeImport(target.url)), target.file);
    }
    const linked = this.#begin(target.file);
    if (this.#isWaiting(target.file, from)) return linked.module.exports; // partially initialised
    const waits = this.#waits.get(from) ?? new Set();
    this.#waits.set(from, waits.add(target.file));
    await linked.done;
    waits.delete(target.file);
    return linked.module.exports;
  }

  /**
   * Returns true if `file` waits for `other`, directly or indirectly.
   * @param {string} file @param {string} other @returns {boolean}
   */
  #isWaiting(file, other, seen = new Set([file])) {
    if (file === other) return true;
    return [...(this.#waits.get(file) ?? [])].some(
      (next) => !seen.has(next) && this.#isWaiting(next, other, seen.add(next)),
    );
  }

  /**
   * @param {string} specifier
   * @param {string} from
   * @returns {{ readonly kind: 'native', readonly url: string, readonly file?: string, readonly isOwnEntry?: true } | { readonly kind: 'ours', readonly file: string }
   *   | { readonly kind: 'data', readonly file: string }
   *   | { readonly kind: 'host', readonly load: () => object | Promise<object> }}
   */
  #target(specifier, from) {
    const answer = this.#terms.host(specifier);
    if (typeof answer === 'function') return { kind: 'host', load: answer };
    if (isBuiltin(specifier) || /^(?:data|https?|bun):/.test(specifier))
      return { kind: 'native', url: specifier };
    // Built files of ours are JavaScript; run from source, they are TypeScript like any other.
    if (answer !== undefined && !/\.[cm]?ts$/.test(answer))
      return { kind: 'native', url: pathToFileURL(answer).href, file: answer, isOwnEntry: true };
    const file = answer ?? resolveImport(specifier, from);
    if (file === undefined) throw new NotFound(specifier, from);
    if (extname(file) === '.json' || extname(file) === '.node') return { kind: 'data', file };
    return spend(() => this.#survey.isOurs(file))
      ? { kind: 'ours', file }
      : { kind: 'native', url: pathToFileURL(file).href, file };
  }

  /** @param {string} from @returns {NodeJS.Require} */
  #requireFor(from) {
    const native = createRequire(from);
    /** @param {string} specifier @returns {unknown} */
    const required = (specifier) => {
      const target = isBuiltin(specifier) ? undefined : this.#target(specifier, from);
      const linked = target?.kind === 'ours' ? this.#linked.get(target.file) : undefined;
      return linked?.module.exports ?? this.#hosts.get(specifier) ?? native(specifier);
    };
    return Object.assign(required, native);
  }

  /** `import.meta.resolve`. @param {string} specifier @param {string} from */
  #resolve(specifier, from) {
    const target = this.#target(specifier, from);
    if (target.kind === 'native')
      return isBuiltin(target.url) ? `node:${target.url.replace(/^node:/, '')}` : target.url;
    if (target.kind !== 'host') return pathToFileURL(target.file).href;
    throw new NotFound(specifier, from);
  }
}

/** Parameter names that compiled code expects. */
const PARAMETERS = 'exports, require, module, __filename, __dirname, jitiImport, jitiESMResolve, importMeta';

/**
 * Node's `import.meta` plus Bun's fields, which OpenCode plugins expect.
 * @param {string} file @param {(specifier: string) => string} resolve
 */
const metaOf = (file, resolve) => ({
  url: pathToFileURL(file).href,
  filename: file,
  dirname: dirname(file),
  resolve,
  path: file,
  dir: dirname(file),
  file: basename(file),
  main: false,
  env: process.env,
});

class NotFound extends Error {
  code = 'ERR_MODULE_NOT_FOUND';
  /** @param {string} specifier @param {string} from */
  constructor(specifier, from) {
    super(`Cannot find module '${specifier}' imported from ${from}`);
  }
}

/** @type {WeakMap<object, object>} */
const asModules = new WeakMap();

/**
 * Presents a Node module as compiled code expects it. For CommonJS all names are exported, whether or not
 * Node detected them. A module compiled to CommonJS has a nested default export, and authors mean the inner
 * one.
 * @param {object} namespace
 * @param {string} [file]
 * @returns {object}
 */
function asModule(namespace, file) {
  const given = /** @type {Record<string, unknown>} */ (namespace);
  const inner = given['default'];
  if (given['__esModule'] === true && !isCompiled(inner)) return given;
  const known = asModules.get(namespace);
  if (known !== undefined) return known;
  const made = Object.defineProperty({}, '__esModule', { value: true });
  const more = file !== undefined && isCommonJs(file) ? /** @type {typeof given} */ (Object(inner)) : {};
  for (const name of new Set([...Object.keys(given), ...Object.keys(more)]))
    if (name !== '__esModule')
      Object.defineProperty(made, name, {
        enumerable: true,
        get: () =>
          name === 'default' && isCompiled(inner) ? inner.default : name in given ? given[name] : more[name],
      });
  asModules.set(namespace, made);
  return made;
}

/**
 * Returns a built-in module as Node's ES module loader would, without loading that loader.
 * @param {string} name @returns {object}
 */
function builtIn(name) {
  const found = /** @type {Record<string, unknown>} */ (createRequire(import.meta.url)(name));
  const known = asModules.get(found);
  if (known !== undefined) return known;
  const made = builtInAsModule(found);
  asModules.set(found, made);
  return made;
}
/**
 * Returns what `import` would. Some of Bun's built-in modules are compiled and have their own default export.
 * @param {Record<string, unknown>} found @returns {object}
 */
export function builtInAsModule(found) {
  const made = Object.defineProperty({}, '__esModule', { value: true });
  for (const key of Object.keys(found))
    if (key !== 'default' && key !== '__esModule')
      Object.defineProperty(made, key, { enumerable: true, get: () => found[key] });
  const value = isCompiled(found) ? found.default : found;
  return Object.defineProperty(made, 'default', { enumerable: true, value });
}

/** Loads JSON or a native addon. @param {string} file @returns {object} */
function dataIn(file) {
  const value = /** @type {unknown} */ (
    extname(file) === '.json' ? JSON.parse(readFileSync(file, 'utf8')) : createRequire(file)(file)
  );
  return { ...(typeof value === 'object' && !Array.isArray(value) ? value : {}), default: value };
}

/** @param {unknown} value @returns {value is { default: unknown }} */
const isCompiled = (value) =>
  typeof value === 'object' &&
  value !== null &&
  /** @type {Record<string, unknown>} */ (value)['__esModule'] === true &&
  'default' in value;
