// Node's own `import()`, also under tools that rewrite the imports of ES modules to their own, and in code that comes from
// a cache and cannot import by itself: a file that is never in one.
import { createRequire } from 'node:module';
import { ownFile } from '../../own-files.mjs';

/** @param {string} wanted an address, or a package of ours @returns {Promise<object>} */
export const nativeImport = (wanted) =>
  /** @type {typeof import('./native-import.cjs')} */ (
    createRequire(import.meta.url)(ownFile('runners/module/native-import.cjs'))
  ).nativeImport(wanted);
