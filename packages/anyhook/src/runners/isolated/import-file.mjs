// Imports a file of the host in the process of a module: JavaScript when built, TypeScript from source.

import { createRequire } from 'node:module';
import { nativeImport } from '../module/native-import.mjs';

/** @param {string} url @returns {Promise<unknown>} */
export async function importFile(url) {
  if (!url.endsWith('.ts')) return await nativeImport(url);
  const { createJiti } = /** @type {typeof import('jiti')} */ (createRequire(import.meta.url)('jiti'));
  return await createJiti(import.meta.url).import(url);
}
