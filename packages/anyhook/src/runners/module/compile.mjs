// Compiles TypeScript, and JavaScript that the linker must handle, to runnable code: strips types and turns
// imports into calls. Line numbers stay the same, so that errors refer to the author's code.

import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { keptCode } from './kept-code.mjs';

/** @typedef {{ readonly filename: string, readonly line: number, readonly column: number, readonly message: string }} Place */

/** A syntax error in a module, with its position. */
export class ParseFailure extends Error {
  /** @param {Place} place */
  constructor({ filename, line, column, message }) {
    super(message.trim());
    this.name = 'SyntaxError';
    this.place = { file: filename, line, column: column + 1 }; // the compiler counts columns from 0
  }
}

/**
 * @param {string} file
 * @param {string} source
 * @param {string | undefined} kept folder for compiled code; undefined: none is cached
 * @returns {string}
 */
export function compile(file, source, kept) {
  return keptCode(kept, [file, source], () => {
    for (const tell of listeners) tell();
    return transpile(file, source);
  });
}

let spentMs = 0;
/** Compile time of this process, which does not count towards a module's load deadline. */
export const msSpent = () => spentMs;

/**
 * Runs work on a module's files whose time is not charged to the module.
 * @template T
 * @param {() => T} work
 * @returns {T}
 */
export function spend(work) {
  const started = performance.now();
  try {
    return work();
  } finally {
    spentMs += performance.now() - started;
  }
}

/** @type {Set<() => void>} */
const listeners = new Set();
/**
 * Registers a callback before each compilation. Returns a function that removes it.
 * @param {() => void} tell
 */
export function whenCompiling(tell) {
  listeners.add(tell);
  return () => void listeners.delete(tell);
}

/**
 * Compiler plugin: replaces `import.meta` by an object from the linker, so that it can contain Bun's fields.
 * @param {{ readonly types: { identifier(name: string): object } }} api
 */
const ownMeta = ({ types }) => ({
  visitor: {
    /** @param {{ readonly node: { readonly meta: { readonly name: string } }, replaceWith(node: object): void }} path */
    MetaProperty(path) {
      if (path.node.meta.name === 'import') path.replaceWith(types.identifier('importMeta'));
    },
  },
});

/** @param {string} file @param {string} source @returns {string} */
function transpile(file, source) {
  // Loaded on demand, because the compiler takes longer to load than all of our own code.
  const { createJiti } = /** @type {typeof import('jiti')} */ (createRequire(import.meta.url)('jiti'));
  const ending = extname(file);
  const code = createJiti(file, { fsCache: false }).transform({
    source,
    filename: file,
    ts: /^\.[cm]?tsx?$/.test(ending),
    // The compiler does not support JSX, but `.tsx` files without markup work.
    async: true,
    retainLines: true,
    babel: { plugins: [ownMeta] },
  });
  const failure = /^exports\.__JITI_ERROR__ = (\{[^]*\})$/.exec(code)?.[1];
  if (failure !== undefined) throw new ParseFailure(/** @type {Place} */ (JSON.parse(failure)));
  return code;
}
