// Node's own `import()`. It also works under tools that rewrite imports of ES modules, and for code loaded
// from a cache, which cannot import by itself: the function is in a file that is never cached.

import { createRequire } from 'node:module';
import { ownFile } from '../../own-files.mjs';

/** @param {string} wanted a URL, or a package of ours @returns {Promise<object>} */
export const nativeImport = (wanted) =>
  /** @type {typeof import('./native-import.cjs')} */ (
    createRequire(import.meta.url)(ownFile('runners/module/native-import.cjs'))
  ).nativeImport(wanted);
