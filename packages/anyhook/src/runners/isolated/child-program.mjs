// The host's program for the isolated process. Built, it is JavaScript; run from source, it is TypeScript.
/** @import { Open } from './wire.mjs' */

/**
 * @param {string} url
 * @returns {Promise<Open>}
 */
export async function openProgram(url) {
  const { open } = /** @type {{ open: Open }} */ (await imported(url));
  return open;
}

/** @param {string} url @returns {Promise<unknown>} */
async function imported(url) {
  if (!url.endsWith('.ts')) return await import(url);
  const { createJiti } = await import('jiti');
  return await createJiti(import.meta.url).import(url);
}
