// Determines which files of a module the linker must handle: TypeScript, files that import something only the
// host has or use something only Bun has, and all files that import one of these. Node imports the rest
// itself.

import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, extname, resolve } from 'node:path';
import { packageIn, packageOf, resolveImport } from './resolve-import.mjs';

/** @typedef {(specifier: string) => boolean} IsHosts whether the host resolves this import */

const TYPED = /^\.[cm]?tsx?$/;
const CODE = /^\.(?:[cm]?[jt]s|[jt]sx)$/;
/** Also matches text in comments and strings, which only causes a useless lookup. */
const IMPORTED = /\b(from|import|require)\s*\(?\s*(['"])([^'"\n\\]+)\2/g;
/** Bun's fields of `import.meta`. A mere check for `env` does not count. */
const BUNS_META = /\bimport\.meta\.(?:(?:dir|path|file|main)\b|env\s*[.[])/;
const MODULE_SYNTAX = /^\s*(?:import\b(?!\s*\()|export\b)/m;

export class Survey {
  /** @type {IsHosts} */
  #isHosts;
  /** Files already classified. @type {Map<string, boolean>} */
  #known = new Map();
  /** Packages that depend on one of the host's. @type {Map<string, boolean>} */
  #packages = new Map();

  /** @param {IsHosts} isHosts */
  constructor(isHosts) {
    this.#isHosts = isHosts;
  }

  /** @param {string} file @param {string} [source] the text, if it was read before */
  isOurs(file, source) {
    const known = this.#known.get(file);
    if (known !== undefined) return known;
    /** Importers of each file. @type {Map<string, string[]>} */
    const importers = new Map();
    const ours = new Set();
    const queue = [file];
    const seen = new Set(queue);
    for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
      const { needsUs, imports } = this.#look(at, at === file ? source : undefined);
      if (needsUs) ours.add(at);
      for (const next of imports) {
        importers.set(next, [...(importers.get(next) ?? []), at]);
        if (seen.has(next)) continue;
        seen.add(next);
        queue.push(next);
      }
    }
    for (const one of ours) for (const importer of importers.get(one) ?? []) ours.add(importer);
    for (const one of seen) this.#known.set(one, ours.has(one));
    return ours.has(file);
  }

  /**
   * @param {string} file
   * @param {string} [given]
   * @returns {{ readonly needsUs: boolean, readonly imports: readonly string[] }}
   */
  #look(file, given) {
    const known = this.#known.get(file);
    if (known !== undefined) return { needsUs: known, imports: [] };
    const ending = extname(file);
    if (!CODE.test(ending)) return { needsUs: false, imports: [] };
    const text = given ?? readFileSync(file, 'utf8');
    const found = Array.from(text.matchAll(IMPORTED), ([, how, , name = '']) => ({ how, name }));
    const wanted = new Set(found.map(({ name }) => name));
    const imports = [...wanted].flatMap((name) => this.#followed(name, file) ?? []);
    const needsUs =
      TYPED.test(ending) ||
      [...wanted].some((name) => this.#isHosts(name)) ||
      found.some(({ how, name }) => how !== 'require' && isForBundlers(name, file)) ||
      isUntyped(file, text) ||
      (process.versions['bun'] === undefined && BUNS_META.test(text));
    return { needsUs, imports };
  }

  /**
   * Returns the file for an import that the linker may have to handle.
   * @param {string} name @param {string} from
   */
  #followed(name, from) {
    if (name.startsWith('node:') || builtinModules.includes(name) || this.#isHosts(name)) return undefined;
    const isNear = /^(?:\.|\/|#|file:)/.test(name);
    if (!isNear && !isPackageName(name)) return undefined;
    const file = resolveImport(name, from);
    if (file === undefined || isNear) return file;
    return TYPED.test(extname(file)) || this.#wantsHost(file) ? file : undefined;
  }

  /** Returns true if the file's package depends on one of the host's. @param {string} file */
  #wantsHost(file) {
    const found = packageOf(file);
    if (found === undefined) return false;
    const known = this.#packages.get(found.folder);
    if (known !== undefined) return known;
    const { dependencies, peerDependencies } = found.about;
    const names = Object.keys({ ...Object(dependencies), ...Object(peerDependencies) });
    const wants = names.some((name) => this.#isHosts(name));
    this.#packages.set(found.folder, wants);
    return wants;
  }
}

/**
 * Returns true for an import of a folder or without extension, which bundlers and Bun accept but Node does
 * not.
 * @param {string} name @param {string} file
 */
function isForBundlers(name, file) {
  if (!/^\.\.?\//.test(name)) return false;
  const found = resolveImport(name, file);
  return found !== undefined && found !== resolve(dirname(file), name.replace(/[?#].*$/, ''));
}

/**
 * ES modules in a package without `type`: Node would guess and print a warning.
 * @param {string} file @param {string} text
 */
const isUntyped = (file, text) =>
  extname(file) === '.js' && packageOf(file)?.about['type'] === undefined && MODULE_SYNTAX.test(text);

/** @param {string} name */
const isPackageName = (name) => /^(?:@[\w.-]+\/)?[\w.-]+(?:\/|$)/.test(name) && packageIn(name).name !== '';
