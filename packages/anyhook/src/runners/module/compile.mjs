// TypeScript, and JavaScript that has to be linked by us, as code that can be run: types are stripped, imports are calls.
// Lines stay where they were, so that errors name the author's own.
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { keptCode } from './kept-code.mjs';

/** @typedef {{ readonly filename: string, readonly line: number, readonly column: number, readonly message: string }} Place */

/** A module that does not parse: its author's mistake, with the place of it. */
export class ParseFailure extends Error {
  /** @param {Place} place */
  constructor({ filename, line, column, message }) {
    super(message.trim());
    this.name = 'SyntaxError';
    this.place = { file: filename, line, column: column + 1 }; // the compiler counts columns from nought
  }
}

/**
 * @param {string} file
 * @param {string} source
 * @param {string | undefined} kept where compiled code is kept; none: nowhere
 * @returns {string}
 */
export function compile(file, source, kept) {
  return keptCode(kept, [file, source], () => {
    for (const tell of listeners) tell();
    return transpile(file, source);
  });
}

let spentMs = 0;
/** The time this process has spent on compiling: it does not count towards the deadline by which a module must have loaded. */
export const msSpent = () => spentMs;

/**
 * Does work of ours on a module's files, and takes the time, which is not charged to the module.
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
/** Told before each file that has to be compiled, until what is returned is called. @param {() => void} tell */
export function whenCompiling(tell) {
  listeners.add(tell);
  return () => void listeners.delete(tell);
}

/**
 * For the compiler: `import.meta` is an object that the linker hands in, so that what Bun has in it is there too.
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
  // Loaded only here: the compiler takes longer to load than all of our own code.
  const { createJiti } = /** @type {typeof import('jiti')} */ (createRequire(import.meta.url)('jiti'));
  const ending = extname(file);
  const code = createJiti(file, { fsCache: false }).transform({
    source,
    filename: file,
    ts: /^\.[cm]?tsx?$/.test(ending),
    // The compiler reads no markup; whoever writes `.tsx` for its types alone is served.
    async: true,
    retainLines: true,
    babel: { plugins: [ownMeta] },
  });
  const failure = /^exports\.__JITI_ERROR__ = (\{[^]*\})$/.exec(code)?.[1];
  if (failure !== undefined) throw new ParseFailure(/** @type {Place} */ (JSON.parse(failure)));
  return code;
}
