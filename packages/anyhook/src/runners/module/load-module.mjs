// Loads a user's module into this process. Plain JavaScript, because the isolated process uses the same code.

import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { compile, msSpent, ParseFailure } from './compile.mjs';
import { ownEntryFile } from './entry-points.mjs';
import { keptFolder } from './kept-code.mjs';
import { Linker } from './linker.mjs';
import { nativeImport } from './native-import.mjs';
import { isCommonJs, packageOf } from './resolve-import.mjs';
import { codeOf, describeThrown, isSyntaxError } from './thrown.mjs';

/** @import { HookFailure } from '../../events/exchange.ts' */
/** @import { Problem, ProblemCode } from '../../events/problems.ts' */
/** @import { HostImports } from './linker.mjs' */
/**
 * @typedef {object} LoadOptions
 * @property {number} [deadlineMs] for the whole load, top-level awaits included; the compiler's time is not the module's
 * @property {Readonly<Record<string, string>>} [alias] import name → file, beside our own names
 * @property {HostImports} [host] packages that the module's own agent brings along
 * @property {string} [kept] where compiled code is kept; otherwise in the user's own folder
 */
/**
 * @typedef {{ readonly ok: true, readonly exports: unknown }
 *   | { readonly ok: false, readonly breakage: HookFailure, readonly problem: Problem }} Loaded
 */

export const LOAD_DEADLINE_MS = 10_000;
/** Remedy for a module that takes too long to load. */
export const MORE_TIME =
  'Give it more time: "loadMs" in your hooks.json, modules.loadMs of createHooks, timeoutMs of a loader, --load-ms of the agent.';
const LARGEST_BYTES = 10 * 1024 * 1024;
const EXTENSIONS = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'];

/**
 * Every load evaluates the module and its compiled files again. What Node can import itself is imported once
 * per process as usual. Compiled code is cached by content.
 * @param {string} file absolute
 * @param {LoadOptions} [options]
 * @returns {Promise<Loaded>}
 */
export async function loadModule(file, options = {}) {
  const { deadlineMs = LOAD_DEADLINE_MS } = options;
  try {
    const source = readSource(file);
    const exports = await inTime(evaluate(file, source, options), deadlineMs);
    return { ok: true, exports };
  } catch (error) {
    const problem =
      !types.isProxy(error) && error instanceof Refusal ? error.problem : problemOf(error, file);
    const place = problem.line === undefined ? file : `${problem.file}:${problem.line}`;
    return { ok: false, breakage: { kind: 'not-loaded', detail: `${place}: ${problem.message}` }, problem };
  }
}

/** Our own errors about a file, as opposed to errors thrown by its code. */
class Refusal extends Error {
  /** @param {ProblemCode} code @param {string} file @param {string} message @param {string} remedy */
  constructor(code, file, message, remedy) {
    super(message);
    /** @type {Problem} */
    this.problem = { code, file, message, remedy, severity: 'error' };
  }
}

/** @param {string} file */
function readSource(file) {
  if (!EXTENSIONS.includes(extname(file)))
    throw new Refusal(
      'bad-value',
      file,
      'not a JavaScript or TypeScript module',
      `Use one of ${EXTENSIONS.join(', ')}.`,
    );
  let found;
  try {
    found = statSync(file);
    if (found.isFile() && found.size <= LARGEST_BYTES) return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Refusal(
      'file-unreadable',
      file,
      `the module cannot be read: ${describeThrown(error).message}`,
      'Check the path and its permissions.',
    );
  }
  if (!found.isFile())
    throw new Refusal('file-not-regular', file, 'not a regular file', 'Use the path of the module itself.');
  throw new Refusal(
    'file-too-large',
    file,
    `the module has ${found.size} bytes`,
    `The limit is ${LARGEST_BYTES}.`,
  );
}

/**
 * @param {string} file
 * @param {string} source
 * @param {LoadOptions} options
 * @returns {Promise<unknown>}
 */
async function evaluate(file, source, { alias = {}, host, kept = keptFolder() }) {
  const linker = new Linker({
    kept,
    host: (name) => (Object.hasOwn(alias, name) ? alias[name] : (ownEntryFile(name) ?? host?.(name))),
  });
  if (linker.isOurs(file, source)) return await linker.run(file, source);
  return isCommonJs(file) ? requireFresh(file) : await nativeImport(freshUrl(file));
}

/** @param {string} file @returns {unknown} */
function requireFresh(file) {
  const require = createRequire(file);
  delete require.cache[file];
  return require(file);
}

/** Number of imports per file, because Node caches modules by URL. @type {Map<string, number>} */
const imports = new Map();

/** @param {string} file */
function freshUrl(file) {
  const before = imports.get(file) ?? 0;
  imports.set(file, before + 1);
  const { href } = pathToFileURL(file);
  return before === 0 ? href : `${href}?load=${before}`;
}

class Late extends Error {}

/**
 * @template T
 * @param {Promise<T>} work
 * @param {number} ms
 * @returns {Promise<T>}
 */
function inTime(work, ms) {
  const [started, spent] = [performance.now(), msSpent()];
  return new Promise((resolve, reject) => {
    const look = () => {
      const leftMs = ms - (performance.now() - started) + (msSpent() - spent);
      if (leftMs > 0) timer = setTimeout(look, leftMs);
      else reject(new Late(`the module did not finish loading within ${ms} ms`));
    };
    let timer = setTimeout(look, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * @param {unknown} error
 * @param {string} file
 * @returns {Problem}
 */
function problemOf(error, file) {
  const { message, stack } = describeThrown(error);
  const parse = parseFailure(error, file);
  if (parse !== undefined)
    return { code: 'syntax', ...parse.place, message: parse.message, severity: 'error' };
  const remedy = !types.isProxy(error) && error instanceof Late ? MORE_TIME : remedyFor(error, file);
  return {
    code: 'not-loaded',
    file,
    ...placeIn(stack ?? '', file),
    message: `the module could not be loaded: ${message}`,
    ...(remedy !== undefined && { remedy }),
    severity: 'error',
  };
}

/**
 * Node does not report the position of a syntax error; the compiler does.
 * @param {unknown} error
 * @param {string} file
 * @returns {ParseFailure | undefined}
 */
function parseFailure(error, file) {
  if (types.isProxy(error)) return undefined;
  if (error instanceof ParseFailure) return error;
  if (!isSyntaxError(error)) return undefined;
  try {
    compile(file, readFileSync(file, 'utf8'), undefined);
  } catch (failure) {
    if (failure instanceof ParseFailure) return failure;
  }
  return undefined;
}

/** Returns what the user of the module can do about it. @param {unknown} error @param {string} file */
function remedyFor(error, file) {
  const code = codeOf(error);
  const { message } = describeThrown(error);
  if (code === 'ERR_DLOPEN_FAILED' || ADDON.test(message))
    return 'It needs a native addon that was not built: install its package with install scripts enabled.';
  if (isSyntaxError(error) || code === 'ERR_UNKNOWN_BUILTIN_MODULE') {
    const engines = /** @type {{ node?: unknown }} */ (Object(packageOf(file)?.about['engines']));
    const asked = engines.node === undefined ? '' : `; its package requires ${String(engines.node)}`;
    return `This is Node ${process.versions.node}${asked}. Use a newer Node.`;
  }
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')
    return 'Install the packages that it imports.';
  return undefined;
}
const ADDON = /\.node\b|bindings file|prebuil[dt]/;

/**
 * Returns the line of the innermost frame in the module. Compilation preserves lines but not columns.
 * @param {string} stack
 * @param {string} file
 * @returns {{ line: number } | {}}
 */
function placeIn(stack, file) {
  const at = stack.indexOf(`${file}:`);
  const found = at === -1 ? null : /^(\d+):\d+/.exec(stack.slice(at + file.length + 1));
  return found === null ? {} : { line: Number(found[1]) };
}
