// Brings a user's module into this process. Plain JavaScript: the isolated process loads with the very same code.
import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { frontDoor } from './front-door.mjs';
import { describeThrown } from './thrown.mjs';

/** @import { HookFailure } from '../../canon/exchange.ts' */
/** @import { Problem, ProblemCode } from '../../canon/problems.ts' */
/**
 * @typedef {object} LoadOptions
 * @property {number} [deadlineMs] for the whole load, top-level awaits included
 * @property {Readonly<Record<string, string>>} [alias] import name → file, beside our own names
 */
/**
 * @typedef {{ readonly ok: true, readonly exports: unknown }
 *   | { readonly ok: false, readonly breakage: HookFailure, readonly problem: Problem }} Loaded
 */

export const LOAD_DEADLINE_MS = 10_000;
const LARGEST_BYTES = 10 * 1024 * 1024;
const EXTENSIONS = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'];

/**
 * Every load is fresh: the module and the TypeScript it imports are read and evaluated anew. Nothing is cached on
 * disk, where somebody could put other code in its place.
 * @param {string} file absolute
 * @param {LoadOptions} [options]
 * @returns {Promise<Loaded>}
 */
export async function loadModule(file, options = {}) {
  const { deadlineMs = LOAD_DEADLINE_MS, alias = {} } = options;
  try {
    const source = readSource(file);
    const exports = await inTime(evaluate(file, source, alias), deadlineMs);
    return { ok: true, exports };
  } catch (error) {
    const problem = error instanceof Refusal ? error.problem : problemOf(error, file);
    const place = problem.line === undefined ? file : `${problem.file}:${problem.line}`;
    return { ok: false, breakage: { kind: 'not-loaded', detail: `${place}: ${problem.message}` }, problem };
  }
}

/** What we say ourselves about a file, told apart from what its code throws. */
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
      'this is no JavaScript or TypeScript module',
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
    throw new Refusal('file-not-regular', file, 'this is not a regular file', 'Name the module itself.');
  throw new Refusal(
    'file-too-large',
    file,
    `the module has ${found.size} bytes`,
    `At most ${LARGEST_BYTES} are taken.`,
  );
}

/**
 * Our own compilation even of plain JavaScript: `anyhook` must mean this copy, also where nothing is installed, and
 * Node 20 has no way to say so for one import. One jiti per load, so that modules of one load share what they import.
 * @param {string} file
 * @param {string} source
 * @param {Readonly<Record<string, string>>} alias
 * @returns {Promise<unknown>}
 */
async function evaluate(file, source, alias) {
  const { createJiti } = await import('jiti'); // not before a module is met: it takes longer to load than we do
  const jiti = createJiti(file, {
    fsCache: false,
    moduleCache: false,
    tryNative: false,
    alias: { ...frontDoor(), ...alias },
  });
  return await jiti.evalModule(source, {
    id: file,
    filename: file,
    ext: extname(file),
    async: true,
    forceTranspile: true,
  });
}

/**
 * @template T
 * @param {Promise<T>} work
 * @param {number} ms
 * @returns {Promise<T>}
 */
function inTime(work, ms) {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`the module did not finish loading within ${ms} ms`));
    const timer = setTimeout(late, ms);
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
  const parse = /^ParseError: ([^]*?)\s*\n (.+):(\d+):(\d+)$/.exec(message);
  if (parse !== null)
    return {
      code: 'syntax',
      file: parse[2] ?? file,
      line: Number(parse[3]),
      column: Number(parse[4]),
      message: parse[1] ?? message,
      severity: 'error',
    };
  const place = placeIn(stack ?? '', file);
  return {
    code: 'not-loaded',
    file,
    ...place,
    message: `the module could not be loaded: ${message}`,
    severity: 'error',
  };
}

/**
 * The innermost frame of the module itself. Only its line: lines survive compilation, columns do not.
 * @param {string} stack
 * @param {string} file
 * @returns {{ line: number } | {}}
 */
function placeIn(stack, file) {
  const at = stack.indexOf(`${file}:`);
  const found = at === -1 ? null : /^(\d+):\d+/.exec(stack.slice(at + file.length + 1));
  return found === null ? {} : { line: Number(found[1]) };
}
