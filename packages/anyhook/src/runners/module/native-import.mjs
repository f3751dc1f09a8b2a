// Node's own `import()`, also under tools that rewrite the imports of ES modules to their own.
import { createRequire } from 'node:module';

const { nativeImport: native } = /** @type {typeof import('./native-import.cjs')} */ (
  createRequire(import.meta.url)('./native-import.cjs')
);

/** @param {string} url */
export const nativeImport = (url) => native(url);
